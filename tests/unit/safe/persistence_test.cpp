#include "safe/persistence.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stad::safe {
namespace {

TEST(AdjacencyMoments, AreThoseOfAllPermutations) {
  std::vector<Index> labels{0, 0, 1, 2, 1, 0, 1};
  const AdjacencyMoments moments = adjacency_moments(labels, 3);
  EXPECT_EQ(moments.observed, 1);
  EXPECT_EQ(moments.pairs, 6);
  std::ranges::sort(labels);
  double sum = 0, squares = 0, count = 0;
  do {  // each distinct order stands for equally many permutations
    double equal = 0;
    for (std::size_t i = 1; i < labels.size(); ++i) equal += labels[i] == labels[i - 1] ? 1 : 0;
    sum += equal;
    squares += equal * equal;
    ++count;
  } while (std::ranges::next_permutation(labels).found);
  const double mean = sum / count;
  EXPECT_NEAR(moments.mean, mean, 1e-12);
  EXPECT_NEAR(moments.variance, squares / count - mean * mean, 1e-12);
}

std::vector<Index> runs(Index count, Index length, Index classes) {
  std::vector<Index> labels(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) labels[static_cast<std::size_t>(i)] = i / length % classes;
  return labels;
}

TEST(PersistenceTest, IsZeroBeforeTheFirstWindowCloses) {
  PersistenceTest test(3, {});
  test.add(runs(255, 10, 3), std::nullopt);
  EXPECT_EQ(test.zeta(), 0);
  EXPECT_EQ(test.excess(), 0);
  test.add(runs(1, 1, 3), std::nullopt);
  EXPECT_GT(test.zeta(), 4);
  EXPECT_GT(test.excess(), 0.8);
}

TEST(PersistenceTest, ClosesAWindowOf64RowsWhereTheTimeChangesAndLeavesAShorterOneOpen) {
  PersistenceTest test(3, {});
  test.add(runs(63, 10, 3), 1);
  test.add(runs(1, 1, 3), 2);
  EXPECT_TRUE(test.state().windows.empty());
  EXPECT_EQ(test.state().window.size(), 64U) << "a short window goes on";
  test.add(runs(5, 1, 3), 3);
  EXPECT_EQ(test.state().windows.size(), 1U);
  EXPECT_EQ(test.state().windows[0].pairs, 63);
  EXPECT_EQ(test.state().window.size(), 5U);
  test.add(runs(100, 1, 3), std::nullopt);
  test.add(runs(1, 1, 3), 3);
  EXPECT_EQ(test.state().windows.size(), 1U) << "rows without a time change none";
}

TEST(PersistenceTest, KeepsFourWindows) {
  PersistenceTest test(3, {});
  test.add(runs(256 * 6, 10, 3), std::nullopt);
  EXPECT_EQ(test.state().windows.size(), 4U);
}

TEST(PersistenceTest, FindsNothingInOneClass) {
  PersistenceTest test(3, {});
  test.add(std::vector<Index>(1024, 1), std::nullopt);
  EXPECT_EQ(test.zeta(), 0);
  EXPECT_EQ(test.excess(), 0) << "the floor of the possible excess";
}

TEST(PersistenceTest, CountsThePossibleExcessAsEightPairsAtLeast) {
  PersistenceTest test(2, {});
  std::vector<Index> labels(256, 0);
  labels[100] = labels[101] = 1;  // two rows of a rare class side by side: one pair more than they can have by chance
  test.add(labels, std::nullopt);
  const AdjacencyMoments& window = test.state().windows[0];
  EXPECT_LT(window.pairs - window.mean, 8);
  EXPECT_NEAR(test.excess(), (window.observed - window.mean) / 8, 1e-12);
}

/// Shares of independent streams that each test lets pass at some time after the first 256 rows.
struct PassRates {
  double zeta = 0, excess = 0, both = 0;
};

PassRates pass_rates(double rare, Index rows) {
  constexpr int kStreams = 2000;
  Random random(1);
  PassRates rates;
  for (int s = 0; s < kStreams; ++s) {
    PersistenceTest test(2, {});
    bool zeta = false, excess = false, both = false;
    for (Index n = 0; n < rows; n += 64) {
      std::vector<Index> labels(64);
      for (Index& label : labels) label = random.uniform() < rare ? 1 : 0;
      test.add(labels, static_cast<double>(n));
      if (n < 256) continue;
      zeta |= test.zeta() >= 4;
      excess |= test.excess() >= 0.3;
      both |= test.zeta() >= 4 && test.excess() >= 0.3;
    }
    rates.zeta += zeta;
    rates.excess += excess;
    rates.both += both;
  }
  return {rates.zeta / kStreams, rates.excess / kStreams, rates.both / kStreams};
}

TEST(PersistenceTest, RarelyPassesIndependentLabelsAndNeedsBothBounds) {
  // Short windows of a rare class are the worst case: one pair of neighbours is many standard deviations, and a few are
  // a large share of the possible excess.
  const PassRates rare = pass_rates(0.02, 1024), uncommon = pass_rates(0.1, 1024);
  EXPECT_LT(rare.both, 0.6 * rare.excess) << "of what passes one bound the other stops a part";
  EXPECT_LT(rare.both, 0.3 * rare.zeta);
  EXPECT_LT(rare.both, 0.015);
  EXPECT_LT(uncommon.both, 0.001);
}

}  // namespace
}  // namespace stad::safe
