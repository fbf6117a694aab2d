#pragma once

#include <span>
#include <vector>

#include <stad/source_model.hpp>

#include "math/scratch_rows.hpp"
#include "safe/params.hpp"
#include "safe/recent_rows.hpp"

namespace stad::safe {

/// A correction of the source's logits, learned from labelled rows: logistic regression on the features with the
/// source as offset and a squared-norm penalty, so that few labels change little. In the dual form, which costs
/// O(rows D + rows K) a prediction for the labelled rows kept, whatever the shape of the head.
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
  State& state() { return state_; }

 private:
  /// k(h, h_i) = (h - mean) . (h_i - mean) / scale + 1 for every row h and labelled row h_i.
  DoubleRowsMap kernel(MatrixView features, Scratch& scratch) const;
  DoubleRowsMap labelled_logits(Scratch& scratch) const;

  SourceModel source_;
  CorrectionParams params_;
  State state_;
};

}  // namespace stad::safe
