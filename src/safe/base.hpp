#pragma once

#include <optional>

#include <stad/predictions.hpp>
#include <stad/source_model.hpp>

#include "math/scratch_rows.hpp"
#include "safe/chain_bank.hpp"
#include "safe/loss_estimate.hpp"
#include "safe/params.hpp"
#include "safe/persistence.hpp"
#include "safe/whiteness.hpp"

namespace stad::safe {

/// Class frequencies of the card, or equal ones, none of them zero.
Eigen::VectorXd class_prior(const SourceModel& source, double floor);

/// The guarded default without labels: the source answers, or a bank of label chains where labels are found to persist
/// and the noise around them is not.
class Base {
 public:
  explicit Base(const SourceModel& source, const Params& params = {})
      : Base(source, class_prior(source, params.prior_floor), params) {}

  /// Learns from a batch and answers it.
  /// @param logits W h + b, N x K
  /// @param probabilities N x K: softmax(logits / T); replaced by the chains' where they answer
  /// @param chains N x K, or null: receives the answer of the chains whether the tests allow it or not
  void adapt(const DoubleRowsMap& logits, std::optional<double> time, FloatRowsMap probabilities,
             FloatRowsMap* chains = nullptr);
  /// Answers by the last decision, without learning.
  void predict(FloatRowsMap probabilities) const;

  /// Who answered the last batch, and why.
  const Guard& guard() const { return guard_; }

  /// How much accuracy the source has probably lost; none before enough rows were seen.
  std::optional<Warning> warning() const { return rows_ > params_.least_rows ? loss_.warning() : std::nullopt; }

  PersistenceTest& persistence() { return persistence_; }
  WhitenessTest& whiteness() { return whiteness_; }
  ChainBank& chains() { return chains_; }
  LossEstimate& loss() { return loss_; }
  const PersistenceTest& persistence() const { return persistence_; }
  const WhitenessTest& whiteness() const { return whiteness_; }
  const ChainBank& chains() const { return chains_; }
  const LossEstimate& loss() const { return loss_; }
  Index rows() const { return rows_; }
  /// After the parts were restored.
  void restore(Index rows);

 private:
  Base(const SourceModel& source, const Eigen::VectorXd& prior, const Params& params);
  void decide();

  Params params_;
  PersistenceTest persistence_;
  WhitenessTest whiteness_;
  ChainBank chains_;
  LossEstimate loss_;
  Index rows_ = 0;  ///< seen so far
  Guard guard_;
};

}  // namespace stad::safe
