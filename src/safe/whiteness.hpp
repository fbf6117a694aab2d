#pragma once

#include <stad/source_model.hpp>

#include "math/scratch_rows.hpp"
#include "safe/params.hpp"
#include "safe/recent_rows.hpp"

namespace stad::safe {

/// Measures whether the noise of the features around their class means is independent from row to row. Where it is not,
/// neighbouring rows repeat their errors and are no independent evidence of a common label.
class WhitenessTest {
 public:
  WhitenessTest(const SourceModel& source, const Params& params);

  /// @param logits W h + b, N x K
  /// @param probabilities N x K
  /// @param first number of rows before these
  void add(const DoubleRowsMap& logits, const FloatRowsMap& probabilities, Index first);

  /// First autocorrelation of the residuals W (h - sum_k p_k m_k) over recent rows.
  double autocorrelation() const;

  /// What a state holds.
  struct State {
    RecentRows<float> residuals;           ///< K wide
    RecentRows<double> products, squares;  ///< of centred residuals: with the row before, with itself
    Eigen::VectorXd residual_sum;          ///< of the rows in `residuals`
    Eigen::VectorXf last;                  ///< centred residual of the last row; empty before the first
    FloatRows mean_sums;                   ///< without a card: sum_n p_nk W h_n, K x K; otherwise empty
    Eigen::VectorXd mean_weights;          ///< without a card: sum_n p_nk
  };
  const State& state() const { return state_; }
  State& state() { return state_; }

 private:
  bool estimates_means() const { return source_.mean_products().empty(); }
  void add_to_means(const DoubleRowsMap& products, const FloatRowsMap& probabilities);
  /// W applied to the expected feature of every row.
  void expected_products(const FloatRowsMap& probabilities, FloatRowsMap expected) const;
  void add_residual(std::span<const float> residual);

  SourceModel source_;
  Params params_;
  State state_;
};

}  // namespace stad::safe
