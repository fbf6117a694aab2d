#pragma once

#include <span>
#include <vector>

#include <stad/source_model.hpp>

#include "math/scratch_rows.hpp"
#include "safe/params.hpp"
#include "safe/recent_rows.hpp"

namespace stad::safe {

/// A correction of the source's logits, learned from labelled rows: logistic regression on the features with the
/// source as offset and a squared-norm penalty, so that few labels change little. Fitted in the dual form; a prediction
/// costs the less of n (D + K), for n labelled rows, and K D, the cost of the source itself.
class HeadCorrection {
 public:
  HeadCorrection(const SourceModel& source, const CorrectionParams& params = {});

  /// Keeps a labelled row in place of the oldest one. The correction changes with the next fit().
  void add(std::span<const float> features, Index label);
  /// Fits the correction to the labelled rows.
  void fit();

  /// Adds the correction to the logits at the temperature of the card, W h + b divided by T.
  void apply(MatrixView features, DoubleRowsMap logits) const;

  /// What a state holds.
  struct State {
    RecentRows<float> rows;     ///< labelled features minus the mean of the source, D wide
    std::vector<Index> labels;  ///< of the rows
    DoubleRows dual;            ///< A, one row a labelled row, K wide: the correction of h is sum_i k(h, h_i) A_i
    double scale = 1;           ///< mean squared length of the rows at the last fit
  };
  const State& state() const { return state_; }
  void restore(State state);

 private:
  /// k(h, h_i) = (h - mean) . (h_i - mean) / scale + 1 for every row h and labelled row h_i.
  DoubleRowsMap kernel(MatrixView features, Scratch& scratch) const;
  DoubleRowsMap labelled_logits(Scratch& scratch) const;
  /// Computes the primal form from the dual one if it is cheaper to apply.
  void update_primal();
  void apply_primal(MatrixView features, DoubleRowsMap logits) const;
  void apply_dual(MatrixView features, DoubleRowsMap logits) const;

  SourceModel source_;
  CorrectionParams params_;
  State state_;
  FloatRows primal_;             ///< K x D weights of the correction; empty: the dual form is applied
  Eigen::VectorXd primal_bias_;  ///< K
};

}  // namespace stad::safe
