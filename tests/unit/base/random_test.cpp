#include "base/random.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace stad::testing {
namespace {

TEST(Random, GivesTheSameNumbersForTheSameSeed) {
  Random a(7), b(7), c(8);
  const double first = a.normal();
  EXPECT_EQ(first, b.normal());
  EXPECT_NE(first, c.normal());
}

TEST(Random, DrawsNormalsOfMeanZeroAndVarianceOne) {
  Random random(1);
  double sum = 0, squares = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.02);  // six standard deviations of the mean
  EXPECT_NEAR(squares / kDraws, 1, 0.03);
}

TEST(Random, ShufflesIntoAPermutation) {
  Random random(2);
  std::vector<int> items(100), sorted(100);
  std::iota(items.begin(), items.end(), 0);
  sorted = items;
  random.shuffle(items);
  EXPECT_NE(items, sorted);
  std::sort(items.begin(), items.end());
  EXPECT_EQ(items, sorted);
}

}  // namespace
}  // namespace stad::testing
