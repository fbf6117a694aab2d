#include <gtest/gtest.h>

#include "safe/clock.hpp"

namespace stad::safe {
namespace {

TEST(Clock, EvenStepsCostNothing) {
  Clock clock;
  for (int year = 1970; year < 2014; ++year)
    for (int batch = 0; batch < 3; ++batch) EXPECT_EQ(clock.advance(year), 1) << year;
}

TEST(Clock, AStreamWithoutTimesStandsStill) {
  Clock clock;
  for (int batch = 0; batch < 10; ++batch) EXPECT_EQ(clock.advance(std::nullopt), 1);
}

TEST(Clock, AGapCostsAPowerOfHowMuchLongerItIsThanUsual) {
  Clock clock;
  for (int day = 0; day < 10; ++day) clock.advance(day);
  EXPECT_NEAR(clock.advance(9 + 3), std::pow(0.9, 2), 1e-12);
}

TEST(Clock, OnePauseDoesNotBecomeTheRule) {
  Clock clock;
  for (int day = 0; day < 10; ++day) clock.advance(day);
  EXPECT_LT(clock.advance(1009), 1e-9);
  EXPECT_EQ(clock.advance(1010), 1);
  EXPECT_LT(clock.advance(1013), 0.95);
}

TEST(Clock, TimeThatRunsBackwardsIsNoGap) {
  Clock clock;
  for (const double time : {5.0, 6.0, 7.0, 2.0, 3.0}) EXPECT_EQ(clock.advance(time), 1) << time;
}

}  // namespace
}  // namespace stad::safe
