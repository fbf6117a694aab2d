#include "safe/label_chains.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stad::safe {
namespace {

FloatRowsMap in_place(FloatRows& rows) { return {rows.data(), rows.rows(), rows.cols()}; }

FloatRows smoothed(const LabelChains& chains, FloatRows posteriors) {
  chains.smooth(in_place(posteriors));
  return posteriors;
}

FloatRows advanced(LabelChains& chains, FloatRows posteriors) {
  chains.advance(in_place(posteriors));
  return posteriors;
}

FloatRows random_posteriors(std::uint64_t seed, Index rows, Index classes) {
  Random random(seed);
  FloatRows posteriors(rows, classes);
  for (Index n = 0; n < rows; ++n) {
    for (Index k = 0; k < classes; ++k) posteriors(n, k) = static_cast<float>(std::exp(2 * random.normal()));
    posteriors.row(n) /= posteriors.row(n).sum();
  }
  return posteriors;
}

/// One label for every row, as sure of it as `certainty` says.
FloatRows posteriors_of(const std::vector<Index>& labels, Index classes, float certainty) {
  const auto rows = static_cast<Index>(labels.size());
  FloatRows posteriors = FloatRows::Constant(rows, classes, (1 - certainty) / static_cast<float>(classes - 1));
  for (Index n = 0; n < rows; ++n) posteriors(n, labels[static_cast<std::size_t>(n)]) = certainty;
  return posteriors;
}

/// All label paths of three classes, one by one: what the first `rows` rows weigh under a chain, and each label in it.
struct Paths {
  double total = 0;
  DoubleRows marginals;  ///< rows x 3

  Paths(const DoubleRows& likelihoods, Index rows, double stay) : marginals(DoubleRows::Zero(rows, 3)) {
    const auto count = static_cast<Index>(std::lround(std::pow(3, rows)));
    for (Index path = 0; path < count; ++path) {
      const auto label = [&](Index n) { return path / std::lround(std::pow(3, n)) % 3; };
      double weight = 1;
      for (Index n = 0; n < rows; ++n)
        weight *=
            likelihoods(n, label(n)) * (n == 0 ? 1.0 / 3 : (label(n) == label(n - 1) ? stay : 0.0) + (1 - stay) / 3);
      total += weight;
      for (Index n = 0; n < rows; ++n) marginals(n, label(n)) += weight;
    }
  }
};

/// The mixture of twelve chains and of independent rows, each weighted by its fading score.
DoubleRows enumerated(const DoubleRows& posteriors) {
  DoubleRows sum = posteriors;
  double total = 1;
  for (const double stay : {0.8, 0.95, 0.99})
    for (const double power : {1.0, 0.5, 0.25, 0.125}) {
      DoubleRows likelihoods = posteriors.unaryExpr([&](double p) { return std::pow(p, power); });
      likelihoods = likelihoods.array().colwise() / likelihoods.rowwise().sum().array();
      double score = 0;
      double before = 1;
      for (Index rows = 1; rows <= posteriors.rows(); ++rows) {
        const double now = Paths(likelihoods, rows, stay).total;
        score = std::exp(-1 / 600.0) * score + std::log(3 * now / before);
        before = now;
      }
      const Paths all(likelihoods, posteriors.rows(), stay);
      sum += std::exp(score) * all.marginals / all.total;
      total += std::exp(score);
    }
  return sum / total;
}

TEST(LabelChains, AgreeWithTheSumOverAllLabelPaths) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const FloatRows posteriors = random_posteriors(seed, 5, 3);
    const DoubleRows found = smoothed(LabelChains(3), posteriors).cast<double>();
    EXPECT_LT((found - enumerated(posteriors.cast<double>())).cwiseAbs().maxCoeff(), 1e-6) << seed;
    EXPECT_GT((found - posteriors.cast<double>()).cwiseAbs().maxCoeff(), 0.01) << seed;
  }
}

TEST(LabelChains, KnowTheRowsTheyHaveMovedOver) {
  // The last row's answer has nothing behind it, so it is the same however the rows before were cut.
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const FloatRows posteriors = random_posteriors(seed, 5, 3);
    LabelChains chains(3);
    advanced(chains, posteriors.topRows(3));
    const FloatRows found = smoothed(chains, posteriors.bottomRows(2));
    EXPECT_LT((found.row(1) - smoothed(LabelChains(3), posteriors).row(4)).cwiseAbs().maxCoeff(), 1e-6F) << seed;
  }
}

TEST(LabelChains, SmoothingLeavesThemUnmovedAndAdvancingGivesTheSameAnswer) {
  const FloatRows posteriors = random_posteriors(1, 150, 4);  // more than two chunks
  LabelChains chains(4);
  advanced(chains, random_posteriors(2, 20, 4));
  const FloatRows first = smoothed(chains, posteriors);
  EXPECT_EQ(smoothed(chains, posteriors), first);
  EXPECT_EQ(advanced(chains, posteriors), first);
  EXPECT_NE(smoothed(chains, posteriors), first);
}

TEST(LabelChains, AnswerWithProbabilities) {
  LabelChains chains(7);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const FloatRows answer = advanced(chains, random_posteriors(seed, 100, 7));
    EXPECT_GE(answer.minCoeff(), 0);
    EXPECT_LT((answer.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-5F);
  }
}

TEST(LabelChains, LeaveMostIndependentRowsTheirLabels) {
  // Not all: where posteriors are worth their eighth power only, persistent rows and independent ones look alike, and
  // such a chain keeps a say by chance. The model asks no chains where labels do not persist.
  double changed = 0;
  constexpr int kSeeds = 20;
  constexpr Index kRows = 600;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    Random random(seed);
    std::vector<Index> labels;
    for (Index n = 0; n < 2 * kRows; ++n) labels.push_back(static_cast<Index>(random.below(4)));
    LabelChains chains(4);
    const FloatRows answer = advanced(chains, posteriors_of(labels, 4, 0.9F));
    for (Index n = kRows; n < 2 * kRows; ++n)
      changed += answer(n, labels[static_cast<std::size_t>(n)]) < answer.row(n).maxCoeff() ? 1 : 0;
  }
  EXPECT_LT(changed / (kSeeds * kRows), 0.15);
}

TEST(LabelChains, LeaveRowsAsTheyAreWhereLabelsAlternate) {
  // What no chance makes look persistent.
  std::vector<Index> labels;
  for (Index n = 0; n < 1200; ++n) labels.push_back(n % 2);
  const FloatRows posteriors = posteriors_of(labels, 2, 0.9F);
  LabelChains chains(2);
  EXPECT_LT((advanced(chains, posteriors) - posteriors).bottomRows(64).cwiseAbs().maxCoeff(), 0.02F);
}

TEST(LabelChains, CorrectWhatInterruptsARun) {
  std::vector<Index> labels(200, 1);
  labels[100] = 2;
  LabelChains chains(4);
  const FloatRows answer = advanced(chains, posteriors_of(labels, 4, 0.7F));
  EXPECT_GT(answer(100, 1), 0.95F);
  EXPECT_GT(answer(99, 1), 0.95F);
}

TEST(LabelChains, FollowFromOneRunToTheNext) {
  std::vector<Index> labels(50, 0);
  labels.insert(labels.end(), 50, 3);
  LabelChains chains(4);
  const FloatRows answer = advanced(chains, posteriors_of(labels, 4, 0.7F));
  EXPECT_GT(answer(45, 0), 0.95F);
  EXPECT_GT(answer(55, 3), 0.95F);
}

TEST(LabelChains, StayFiniteWherePosteriorsAreCertainAndContradictEachOther) {
  std::vector<Index> labels;
  for (Index n = 0; n < 500; ++n) labels.push_back(n % 4);
  LabelChains chains(4);
  EXPECT_TRUE(advanced(chains, posteriors_of(labels, 4, 1)).allFinite());
  EXPECT_TRUE(advanced(chains, posteriors_of(std::vector<Index>(500, 2), 4, 1)).allFinite());
  EXPECT_TRUE(advanced(chains, posteriors_of(labels, 4, 1)).allFinite());
}

TEST(LabelChains, StartAgainFromTheLastRow) {
  LabelChains moved(3);
  advanced(moved, posteriors_of(std::vector<Index>(300, 1), 3, 0.8F));
  LabelChains fresh(3);
  FloatRows last = posteriors_of({1, 0}, 3, 0.8F);
  moved.start_from(in_place(last));
  fresh.start_from(in_place(last));
  const FloatRows next = random_posteriors(4, 10, 3);
  EXPECT_EQ(smoothed(moved, next), smoothed(fresh, next));
  EXPECT_NE(smoothed(moved, next), smoothed(LabelChains(3), next));
}

}  // namespace
}  // namespace stad::safe
