#include "serving/history.hpp"

#include <optional>

#include <gtest/gtest.h>

namespace stad::serving {
namespace {

HistoryPoint point_at(double time, std::int64_t rows) {
  HistoryPoint point;
  point.time = time;
  point.span = 1;
  point.batches = 1;
  point.rows = rows;
  point.confidence = 0.5;
  point.proportions = {0.25f, 0.75f};
  return point;
}

TEST(History, TellsAWholeLifeInFewPointsAndLosesNoRow) {
  History history;
  for (int second = 1; second <= 10'000; ++second) history.add(point_at(second, second % 7));
  EXPECT_LE(history.points().size(), 48u);
  EXPECT_GE(history.points().size(), 16u);
  std::int64_t rows = 0;
  for (int second = 1; second <= 10'000; ++second) rows += second % 7;
  for (const auto& point : history.points()) rows -= point.rows;
  EXPECT_EQ(rows, 0);
  EXPECT_DOUBLE_EQ(history.points().front().time - history.points().front().span, 0);
  EXPECT_DOUBLE_EQ(history.points().back().time, 10'000);
}

TEST(History, PointsFollowEachOtherWithoutOverlap) {
  History history;
  for (int second = 1; second <= 1'000; ++second) history.add(point_at(second, 1));
  for (std::size_t i = 1; i < history.points().size(); ++i)
    EXPECT_NEAR(history.points()[i].time - history.points()[i].span, history.points()[i - 1].time, 1e-9);
}

TEST(History, TellsWhatItWasToldAsExactlyAsAChartCanShowIt) {
  History history;
  HistoryPoint told = point_at(1, 8);
  told.flip_rate = 0.125;
  told.dispersion = 1.7;
  told.warning = Warning::kWatch;
  told.chains = 0.75;
  told.guard = Guard{false, 0.5, 0.25, -0.125, GuardTest::kZeta};
  told.movement = {0.3f, 3.1f};
  history.add(told);
  history.add(point_at(2, 1));
  const HistoryPoint kept = history.points().front();
  EXPECT_EQ(kept.time, 1);
  EXPECT_EQ(kept.rows, 8);
  EXPECT_FLOAT_EQ(static_cast<float>(kept.dispersion.value()), 1.7f);
  EXPECT_EQ(kept.flip_rate, 0.125);
  EXPECT_EQ(kept.source_confidence, std::nullopt);
  EXPECT_EQ(kept.warning, Warning::kWatch);
  EXPECT_EQ(kept.chains, 0.75);
  ASSERT_TRUE(kept.guard);
  EXPECT_EQ(kept.guard->held_by, GuardTest::kZeta);
  EXPECT_FALSE(kept.guard->chains);
  EXPECT_EQ(kept.guard->zeta, 0.5);
  EXPECT_EQ(kept.guard->excess, 0.25);
  EXPECT_EQ(kept.guard->autocorrelation, -0.125);
  ASSERT_EQ(kept.movement.size(), 2u);
  for (int k = 0; k < 2; ++k) {  // to half a step of sixteen bits
    EXPECT_NEAR(kept.movement[k], told.movement[k], 3.1416 / 65535 / 2 + 1e-6);
    EXPECT_NEAR(kept.proportions[k], told.proportions[k], 1.0 / 65535 / 2 + 1e-6);
  }
}

TEST(History, KeepsMissingValuesMissing) {
  History history;
  history.add(point_at(1, 8));
  history.add(point_at(3, 1));
  const HistoryPoint kept = history.points().front();
  EXPECT_FALSE(kept.warning || kept.guard || kept.chains || kept.dispersion);
}

TEST(HistoryPoint, KeepsTheWorseWarningAndTheLaterGuard) {
  HistoryPoint act = point_at(1, 1), fine = point_at(2, 3);
  act.warning = Warning::kAct;
  act.chains = 1;
  act.guard = Guard{true, 9, 0.5, 0, GuardTest::kNone};
  fine.warning = Warning::kFine;
  fine.chains = 0;
  fine.guard = Guard{false, 1, 0.5, 0, GuardTest::kZeta};
  const HistoryPoint both = act.followed_by(fine);
  EXPECT_EQ(both.warning, Warning::kAct);
  EXPECT_EQ(both.guard->held_by, GuardTest::kZeta);
  EXPECT_DOUBLE_EQ(both.chains.value(), 0.25);
  EXPECT_EQ(point_at(1, 1).followed_by(fine).warning, Warning::kFine);
}

TEST(HistoryPoint, WeighsWhatItJoinsByRows) {
  HistoryPoint few = point_at(1, 1);
  few.confidence = 1;
  few.flip_rate = 1;
  const HistoryPoint both = few.followed_by(point_at(2, 3));
  EXPECT_EQ(both.rows, 4);
  EXPECT_DOUBLE_EQ(both.confidence, 0.25 * 1 + 0.75 * 0.5);
  EXPECT_DOUBLE_EQ(both.flip_rate.value(), 1);  // the other had none to compare
  EXPECT_FLOAT_EQ(both.proportions[0] + both.proportions[1], 1);
}

}  // namespace
}  // namespace stad::serving
