#include <stad/predictions.hpp>

#include <gtest/gtest.h>

namespace stad::testing {
namespace {

TEST(AccuracyEstimate, IsAMeanWithAnInterval) {
  const AccuracyEstimate estimate{.rows = 100, .correct = 90, .doubted = 0, .variance = 9};
  EXPECT_DOUBLE_EQ(estimate.value(), 0.9);
  // A third and three times the error rate, and 1.645 deviations of 3 rows.
  EXPECT_NEAR(estimate.low(), 1 - 0.3 - 0.04935, 1e-9);
  EXPECT_NEAR(estimate.high(), 1 - 0.1 / 3 + 0.04935 > 1 ? 1 : 1 - 0.1 / 3 + 0.04935, 1e-9);
}

TEST(AccuracyEstimate, DoubtsWhatTheSourceAnswersOtherwise) {
  const AccuracyEstimate estimate{.rows = 100, .correct = 100, .doubted = 30, .variance = 0};
  EXPECT_DOUBLE_EQ(estimate.low(), 0.7);
  EXPECT_DOUBLE_EQ(estimate.high(), 1);
}

TEST(AccuracyEstimate, SaysNothingOfNoRows) {
  const AccuracyEstimate estimate;
  EXPECT_EQ(estimate.value(), 0);
  EXPECT_EQ(estimate.low(), 0);
  EXPECT_EQ(estimate.high(), 1);
}

TEST(AccuracyEstimate, AddsUp) {
  AccuracyEstimate sum{.rows = 1, .correct = 0.5, .doubted = 0.25, .variance = 0.25};
  sum += {.rows = 3, .correct = 2.5, .doubted = 0.5, .variance = 0.5};
  EXPECT_EQ(sum.rows, 4);
  EXPECT_DOUBLE_EQ(sum.value(), 0.75);
  EXPECT_DOUBLE_EQ(sum.doubted, 0.75);
  EXPECT_DOUBLE_EQ(sum.variance, 0.75);
}

}  // namespace
}  // namespace stad::testing
