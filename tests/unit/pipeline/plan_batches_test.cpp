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

using Rows = std::vector<std::vector<Index>>;

Rows rows_of(const FeatureStream& stream, const BatchSettings& settings) {
  Rows rows;
  const auto plan = plan_batches(stream, settings);
  EXPECT_TRUE(plan) << plan.error().message;
  for (const auto& batch : *plan) rows.push_back(batch.rows);
  return rows;
}

std::string complaint(const FeatureStream& stream, const BatchSettings& settings) {
  const auto plan = plan_batches(stream, settings);
  return plan ? "" : plan.error().message;
}

TEST(PlanBatches, CutsInsideEachTimeStep) {
  EXPECT_EQ(rows_of(ten_rows(), {.batch_size = 3}), (Rows{{0, 1, 2}, {3}, {4}, {5, 6, 7}, {8, 9}}));
}

TEST(PlanBatches, CutsAcrossTimeStepsWhenAsked) {
  EXPECT_EQ(rows_of(ten_rows(), {.batch_size = 3, .across_steps = true}), (Rows{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9}}));
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
  EXPECT_EQ(rows_of(stream, {}), (Rows{{0, 1}, {2, 3}, {4}, {5, 6, 7, 8, 9}}));
  EXPECT_EQ(rows_of(stream, {.batch_size = 100}), (Rows{{0, 1, 2, 3}, {4}, {5, 6, 7, 8, 9}}));
  EXPECT_EQ(rows_of(stream, {.since = 1971}), (Rows{{4}, {5, 6, 7, 8, 9}}));
}

TEST(PlanBatches, RefusesABatchThatStraddlesTwoTimes) {
  FeatureStream stream = ten_rows();
  stream.batch_sizes = {4, 6};
  EXPECT_EQ(complaint(stream, {}),
            "stream: batch_sizes entry 1 (rows 4 to 9) straddles times 1971 and 1973, must stay in one");
}

TEST(PlanBatches, KeepsRowsBetweenSinceAndUntilInclusive) {
  EXPECT_EQ(rows_of(ten_rows(), {.batch_size = 9, .since = 1971, .until = 1971}), (Rows{{4}}));
  EXPECT_NE(complaint(ten_rows(), {.since = 1980}), "");
}

TEST(PlanBatches, ShufflesInsideTimeStepsOnly) {
  const auto rows = rows_of(ten_rows(), {.batch_size = 9, .order = Order::kShuffled, .seed = 3});
  ASSERT_EQ(rows.size(), 3U);
  for (const Index row : rows[0]) EXPECT_LT(row, 4);
  EXPECT_EQ(rows, rows_of(ten_rows(), {.batch_size = 9, .order = Order::kShuffled, .seed = 3}));
  EXPECT_NE(rows, rows_of(ten_rows(), {.batch_size = 9, .order = Order::kShuffled, .seed = 4}));
}

TEST(PlanBatches, SortsByClassInARandomOrderOfClasses) {
  const FeatureStream stream = ten_rows();
  bool descends = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto rows = rows_of(stream, {.batch_size = 9, .order = Order::kSorted, .seed = seed});
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
  EXPECT_EQ(complaint(stream, {}), "stream: time row 2 is 3, goes back from 5; must not decrease (or sort by time)");
  EXPECT_EQ(rows_of(stream, {.batch_size = 9, .sort_by_time = true}), (Rows{{2, 3, 5}, {4, 7, 8, 9}, {0, 1, 6}}));
}

TEST(PlanBatches, RefusesATimeThatIsNone) {
  FeatureStream stream = ten_rows();
  stream.time.back() = 1e300;
  EXPECT_EQ(complaint(stream, {}), "stream: time row 9 is 1e+300, must be finite and at most 1e290 in magnitude");
  stream.time.back() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint(stream, {}), "stream: time row 9 is nan, must be finite and at most 1e290 in magnitude");
}

TEST(PlanBatches, SaysWhatAnOrderNeeds) {
  FeatureStream stream = ten_rows();
  stream.labels.clear();
  EXPECT_EQ(complaint(stream, {.order = Order::kSorted}), "stream: has no labels, which the sorted order needs");
  stream.time.clear();
  EXPECT_EQ(complaint(stream, {.since = 3}), "stream: has no time, which since, until and sort-by-time need");
  EXPECT_EQ(complaint(stream, {.batch_size = 0}), "batch size is 0, must be at least 1");
}

}  // namespace
}  // namespace stad::testing
