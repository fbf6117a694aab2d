#include "speed/timing.hpp"

#include <gtest/gtest.h>

namespace stad::speed {
namespace {

TEST(Percentile, OfOneValueIsThatValue) {
  EXPECT_EQ(percentile({7}, 0), 7);
  EXPECT_EQ(percentile({7}, 0.5), 7);
  EXPECT_EQ(percentile({7}, 1), 7);
}

TEST(Percentile, DoesNotDependOnTheOrder) {
  EXPECT_EQ(percentile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(percentile({5, 4, 3, 2, 1}, 0.25), 2);
}

TEST(Percentile, LiesBetweenTheTwoNearestValues) {
  EXPECT_DOUBLE_EQ(percentile({1, 2}, 0.5), 1.5);
  EXPECT_DOUBLE_EQ(percentile({0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}, 0.9), 90);
  EXPECT_DOUBLE_EQ(percentile({0, 10}, 0.9), 9);
}

TEST(Percentile, AtTheEndsIsTheLeastAndTheLargest) {
  EXPECT_EQ(percentile({4, 8, 6}, 0), 4);
  EXPECT_EQ(percentile({4, 8, 6}, 1), 8);
}

}  // namespace
}  // namespace stad::speed
