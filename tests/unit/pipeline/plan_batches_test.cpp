#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <stad/eval/pipeline.hpp>

namespace stad::testing {
namespace {

/// Rows 0 .. 9 in three time steps of 4, 1 and 5.
FeatureStream ten_rows() {
  FeatureStream stream = FeatureStream::from(Matrix(10, 2));
  stream.time = {1970, 1970, 1970, 1970, 1971, 1973, 1973, 1973, 1973, 1973};
  stream.labels = {0, 1, 0, 1, 2, 2, 0, 1, 0, 2};
  return stream;
}

using PlannedRows = std::vector<std::vector<Index>>;

PlannedRows planned_rows(const FeatureStream& stream, const BatchSettings& settings) {
  PlannedRows rows;
  const auto plan = plan_batches(stream, settings);
  EXPECT_TRUE(plan) << plan.error().message;
  for (const auto& batch : *plan) rows.push_back(batch.rows);
  return rows;
}

std::string plan_error(const FeatureStream& stream, const BatchSettings& settings) {
  const auto plan = plan_batches(stream, settings);
  return plan ? "" : plan.error().message;
}

TEST(PlanBatches, CutsInsideEachTimeStep) {
  EXPECT_EQ(planned_rows(ten_rows(), {.batch_size = 3}), (PlannedRows{{0, 1, 2}, {3}, {4}, {5, 6, 7}, {8, 9}}));
}

TEST(PlanBatches, CutsAcrossTimeStepsWhenAsked) {
  EXPECT_EQ(planned_rows(ten_rows(), {.batch_size = 3, .across_steps = true}),
            (PlannedRows{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9}}));
  EXPECT_EQ(plan_batches(ten_rows(), {.batch_size = 3, .across_steps = true})->at(1).time, 1973);
}

TEST(PlanBatches, TakesSixtyFourWhereNothingIsSaid) {
  FeatureStream stream = FeatureStream::from(Matrix(130, 2));
  EXPECT_EQ(plan_batches(stream, {})->size(), 3U);
  EXPECT_EQ(plan_batches(stream, {})->back().rows.size(), 2U);
}

TEST(PlanBatches, FollowsTheBatchSizesOfTheStream) {
  FeatureStream stream = ten_rows();
  stream.batch_sizes = {2, 2, 1, 5};
  EXPECT_EQ(planned_rows(stream, {}), (PlannedRows{{0, 1}, {2, 3}, {4}, {5, 6, 7, 8, 9}}));
  EXPECT_EQ(planned_rows(stream, {.batch_size = 100}), (PlannedRows{{0, 1, 2, 3}, {4}, {5, 6, 7, 8, 9}}));
  EXPECT_EQ(planned_rows(stream, {.since = 1971}), (PlannedRows{{4}, {5, 6, 7, 8, 9}}));
}

TEST(PlanBatches, RefusesABatchThatStraddlesTwoTimes) {
  FeatureStream stream = ten_rows();
  stream.batch_sizes = {4, 6};
  EXPECT_EQ(plan_error(stream, {}),
            "stream: batch_sizes entry 1 (rows 4 to 9) spans times 1971 and 1973, must be of one time");
}

TEST(PlanBatches, KeepsRowsBetweenSinceAndUntilInclusive) {
  EXPECT_EQ(planned_rows(ten_rows(), {.batch_size = 9, .since = 1971, .until = 1971}), (PlannedRows{{4}}));
  EXPECT_NE(plan_error(ten_rows(), {.since = 1980}), "");
}

TEST(PlanBatches, ShufflesInsideTimeStepsOnly) {
  const auto rows = planned_rows(ten_rows(), {.batch_size = 9, .order = Order::kShuffled, .seed = 3});
  ASSERT_EQ(rows.size(), 3U);
  for (const Index row : rows[0]) EXPECT_LT(row, 4);
  EXPECT_EQ(rows, planned_rows(ten_rows(), {.batch_size = 9, .order = Order::kShuffled, .seed = 3}));
  EXPECT_NE(rows, planned_rows(ten_rows(), {.batch_size = 9, .order = Order::kShuffled, .seed = 4}));
}

TEST(PlanBatches, SortsByClassInARandomOrderOfClasses) {
  const FeatureStream stream = ten_rows();
  bool descends = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto rows = planned_rows(stream, {.batch_size = 9, .order = Order::kSorted, .seed = seed});
    std::vector<std::int64_t> labels;
    for (const Index row : rows[2]) labels.push_back(stream.labels[row]);
    std::vector<std::int64_t> runs = labels;
    runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
    EXPECT_EQ(runs.size(), 3U) << "each class in one run";
    descends |= runs.front() > runs.back();
  }
  EXPECT_TRUE(descends);
}

TEST(PlanBatches, SortsByTimeWhenAsked) {
  FeatureStream stream = ten_rows();
  stream.time = {5, 5, 3, 3, 4, 3, 5, 4, 4, 4};
  EXPECT_EQ(plan_error(stream, {}), "stream: time row 2 is 3, must not be below 5 of the row before; or sort by time");
  EXPECT_EQ(planned_rows(stream, {.batch_size = 9, .sort_by_time = true}),
            (PlannedRows{{2, 3, 5}, {4, 7, 8, 9}, {0, 1, 6}}));
}

TEST(PlanBatches, RefusesATimeThatIsNone) {
  FeatureStream stream = ten_rows();
  stream.time.back() = 1e300;
  EXPECT_EQ(plan_error(stream, {}), "stream: time row 9 is 1e+300, must be finite and at most 1e290 in magnitude");
  stream.time.back() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(plan_error(stream, {}), "stream: time row 9 is nan, must be finite and at most 1e290 in magnitude");
}

TEST(PlanBatches, SaysWhatAnOrderNeeds) {
  FeatureStream stream = ten_rows();
  stream.labels.clear();
  EXPECT_EQ(plan_error(stream, {.order = Order::kSorted}), "stream: has no labels, the sorted order requires them");
  stream.time.clear();
  EXPECT_EQ(plan_error(stream, {.since = 3}), "stream: has no time, since, until and sort-by-time require it");
  EXPECT_EQ(plan_error(stream, {.batch_size = 0}), "batch size is 0, must be at least 1");
}

}  // namespace
}  // namespace stad::testing
