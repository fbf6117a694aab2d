#pragma once

#include <optional>
#include <span>

#include <stad/predictions.hpp>
#include <stad/source_model.hpp>

#include "math/scratch_rows.hpp"
#include "safe/params.hpp"

namespace stad::safe {

/// Estimates without labels how much accuracy the source has lost since its card was made: the fall of its confidence,
/// times its agreement with two variants of itself, one with the mean of the features restored and one with the class
/// proportions of the card.
class LossEstimate {
 public:
  /// @param prior class frequencies of the card
  LossEstimate(const SourceModel& source, const Eigen::VectorXd& prior, const Params& params);

  /// @param logits W h + b, N x K
  /// @param labels the first largest logit of each row
  /// @param probabilities softmax(logits / T)
  /// @param proportions running mean of the probabilities, these rows included
  void add(const DoubleRowsMap& logits, std::span<const Index> labels, const FloatRowsMap& probabilities,
           const VectorMap& proportions);

  /// None for a source without the accuracy, the confidence or the feature mean of its training rows, and before the
  /// first row.
  std::optional<Warning> warning() const;
  /// Estimated accuracy lost, 0 to 1, of recent rows.
  std::optional<double> loss() const;

  /// What a state holds: discounted sums over rows.
  struct State {
    Eigen::VectorXd logits;  ///< of W h + b, K; begins at the source's mean
    double logit_rows = 0;
    double rows = 0;
    double confidence = 0;  ///< of the largest probability
    double agreement = 0;   ///< of the shares of the two variants that give the source's label
  };
  const State& state() const { return state_; }
  State& state() { return state_; }

 private:
  bool is_possible() const { return mean_logits_.size() > 0 && card_accuracy_ && card_confidence_; }

  Params params_;
  std::optional<double> card_accuracy_, card_confidence_;
  Eigen::VectorXd prior_;
  Eigen::VectorXd mean_logits_;  ///< of the mean of the training features, K; empty if it is not known
  State state_;
};

}  // namespace stad::safe
