#include "safe/chain_bank.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stad::safe {
namespace {

/// Probabilities of rows whose labels stay with a probability, seen with noise.
FloatRows noisy_rows(Index rows, double stay, std::uint64_t seed, std::vector<Index>* labels = nullptr) {
  constexpr Index kClasses = 3;
  Random random(seed);
  FloatRows probabilities(rows, kClasses);
  Index label = 0;
  for (Index n = 0; n < rows; ++n) {
    if (random.uniform() > stay) label = static_cast<Index>(random.below(kClasses));
    for (Index k = 0; k < kClasses; ++k)
      probabilities(n, k) = static_cast<float>(std::exp((k == label ? 0.8 : 0) + random.normal()));
    probabilities.row(n) /= probabilities.row(n).sum();
    if (labels) labels->push_back(label);
  }
  return probabilities;
}

FloatRowsMap map_of(FloatRows& rows) { return {rows.data(), rows.rows(), rows.cols()}; }

double accuracy(const FloatRows& probabilities, const std::vector<Index>& labels) {
  double right = 0;
  for (Index n = 0; n < probabilities.rows(); ++n) {
    Index label = 0;
    probabilities.row(n).maxCoeff(&label);
    right += label == labels[static_cast<std::size_t>(n)] ? 1 : 0;
  }
  return right / static_cast<double>(probabilities.rows());
}

const Eigen::VectorXd kEqual = Eigen::VectorXd::Constant(3, 1.0 / 3);

FloatRows answer_in_batches(FloatRows rows, Index batch) {
  ChainBank bank(kEqual, {});
  for (Index first = 0; first < rows.rows(); first += batch) {
    FloatRowsMap part(rows.row(first).data(), std::min(batch, rows.rows() - first), rows.cols());
    bank.add_to_law(part);
    bank.filter_and_answer(part);
  }
  return rows;
}

TEST(ChainBank, CorrectsRowsByTheirNeighboursWhereLabelsPersist) {
  std::vector<Index> labels;
  const FloatRows rows = noisy_rows(2000, 0.95, 1, &labels);
  const double alone = accuracy(rows, labels);
  EXPECT_GT(accuracy(answer_in_batches(rows, 64), labels), alone + 0.2);
  EXPECT_GT(accuracy(answer_in_batches(rows, 1), labels), alone + 0.15) << "by the rows before alone";
}

TEST(ChainBank, ChangesLittleWhereLabelsAreIndependent) {
  const FloatRows rows = noisy_rows(2000, 0, 2);
  EXPECT_LT((answer_in_batches(rows, 64) - rows).cwiseAbs().maxCoeff(), 0.05F);
}

TEST(ChainBank, DoesNotTakeACollapsedSourceForPersistence) {
  FloatRows rows(8000, 3);
  for (Index n = 0; n < rows.rows(); ++n) rows.row(n) << 0.98F, 0.01F, 0.01F;
  ChainBank bank(kEqual, {});
  for (Index first = 0; first < rows.rows(); first += 50) {
    const FloatRowsMap part(rows.row(first).data(), 50, 3);
    bank.add_to_law(part);
    bank.filter(part);
  }
  EXPECT_LT(bank.state().scores.maxCoeff(), 1) << "the law has followed the source, so that the class is no evidence";
}

TEST(ChainBank, AnswersAreDistributions) {
  FloatRows rows = noisy_rows(300, 0.9, 3);
  rows.row(7) << 1, 0, 0;  // certain rows
  rows.row(8) << 0, 1, 0;
  const FloatRows answer = answer_in_batches(rows, 100);
  EXPECT_NEAR(answer.rowwise().sum().minCoeff(), 1, 1e-5);
  EXPECT_NEAR(answer.rowwise().sum().maxCoeff(), 1, 1e-5);
  EXPECT_GE(answer.minCoeff(), 0);
}

TEST(ChainBank, PredictsWithoutLearning) {
  FloatRows rows = noisy_rows(500, 0.95, 4);
  ChainBank bank(kEqual, {});
  bank.add_to_law(map_of(rows));
  bank.filter(map_of(rows));
  const auto scores = bank.state().scores;
  FloatRows next = noisy_rows(1, 0.95, 5), again = next;
  bank.answer(map_of(next));
  bank.answer(map_of(again));
  EXPECT_EQ(next, again);
  EXPECT_TRUE((bank.state().scores == scores).all());
}

}  // namespace
}  // namespace stad::safe
