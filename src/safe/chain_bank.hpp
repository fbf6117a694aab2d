#pragma once

#include <array>
#include <span>
#include <vector>

#include "math/scratch_rows.hpp"
#include "safe/params.hpp"

namespace stad::safe {

/// Label chains: hidden Markov models in which the label stays with a probability and is otherwise drawn from a
/// stationary law. The bank weighs chains of different persistence, and chains that trust single rows less, by how well
/// they predict, against independent labels.
class ChainBank {
 public:
  static constexpr std::array kStay{0.3, 0.6, 0.8, 0.95};  ///< probabilities that a label stays
  static constexpr std::array kPowers{1.0, 0.5, 0.25};     ///< exponents of the evidence of a row
  static constexpr Index kChains = kStay.size() * kPowers.size();
  /// One value a chain: those of the first power, then of the second, then of the third.
  using Lanes = Eigen::Array<double, kChains, 1>;

  /// @param prior distribution of the labels before the first row
  ChainBank(const Eigen::VectorXd& prior, const Params& params);

  /// Adds rows to the stationary law. Call it before filter() for the same rows.
  void add_to_law(const FloatRowsMap& probabilities);
  /// Running mean of the probabilities.
  VectorMap proportions(Scratch& scratch) const;

  void filter(const FloatRowsMap& probabilities);
  /// Filters the rows, and replaces their probabilities by the bank's, smoothed inside the batch.
  void filter_and_answer(FloatRowsMap probabilities);
  /// Replaces the probabilities of rows that are not added.
  void answer(FloatRowsMap probabilities) const;

  /// What a state holds.
  struct State {
    std::vector<Lanes> labels;  ///< filtered distribution of the label after the last row, one for each class
    Lanes scores;               ///< discounted log-likelihood ratios against independent labels
    Eigen::VectorXd law_sum;    ///< discounted sum of the probabilities
    double law_weight = 0;
  };
  const State& state() const { return state_; }
  State& state() { return state_; }

 private:
  using LabelLanes = std::span<const Lanes>;

  /// Stationary law of the chains: the running mean of the probabilities, no class impossible.
  void write_law(VectorMap law) const;
  /// Smoothed and weighted posteriors of chains that start from these distributions.
  void answer_from(LabelLanes start, FloatRowsMap probabilities) const;

  Params params_;
  State state_;
};

}  // namespace stad::safe
