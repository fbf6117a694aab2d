#include "safe/label_requests.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stad::safe {
namespace {

LabelRequest request_of(const LabelRequests& requests, std::int64_t id, Index row) {
  return {.id = id,
          .drawn_at = requests.state().rows + row,
          .base_label = 0,
          .labels = {1},
          .attempts = {1},
          .features = {},
          .true_label = std::nullopt};
}

/// A batch of which the first rows are contested. Ids are the numbers of the rows in the stream.
/// @returns rows of the batch that were drawn
std::vector<Index> draw_batch(LabelRequests& requests, Index rows, Index contested,
                              std::optional<double> time = std::nullopt) {
  std::vector<Index> drawn;
  requests.begin_batch(rows, contested, time);
  for (Index n = 0; n < contested; ++n)
    if (requests.draws(n, true)) {
      requests.add(request_of(requests, requests.state().rows + n, n));
      drawn.push_back(n);
    }
  requests.end_batch();
  return drawn;
}

/// Ids of all rows drawn in so many batches of a size, a share of them contested.
std::vector<std::int64_t> drawn_ids(LabelRequests& requests, Index batches, Index rows, double share) {
  std::vector<std::int64_t> ids;
  for (Index b = 0; b < batches; ++b) {
    const Index first = requests.state().rows;
    for (const Index n : draw_batch(requests, rows, static_cast<Index>(share * static_cast<double>(rows))))
      ids.push_back(first + n);
  }
  return ids;
}

Index count_between(const std::vector<std::int64_t>& ids, std::int64_t first, std::int64_t end) {
  return std::ranges::count_if(ids, [&](std::int64_t id) { return first <= id && id < end; });
}

LabelRequests with_one_request_a_row(Index rows, Index expiry) {
  LabelRequests requests({.labels = 1000, .period = 1000, .expiry = expiry});
  draw_batch(requests, rows, 0);
  for (Index n = 0; n < rows; ++n) {
    LabelRequest request = request_of(requests, n, 0);
    request.drawn_at = n;
    requests.add(std::move(request));
  }
  return requests;
}

TEST(LabelRequests, NeverExceedTheBudgetOfAPeriodAndAlmostSpendIt) {
  for (const double share : {0.05, 0.3, 1.0})
    for (const Index rows : {1, 7, 20, 100, 500}) {
      if (share * static_cast<double>(rows) < 1 && rows > 1) continue;  // no contested row
      double spent = 0;
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        LabelRequests requests({.labels = 20, .period = 1000, .expiry = 100, .seed = seed});
        Index in_period = 0;
        Random random(seed);
        for (Index row = 0; row < 4000; row += rows) {
          if (row % 1000 == 0) in_period = 0;
          const Index contested = rows > 1 ? static_cast<Index>(share * static_cast<double>(rows))
                                           : static_cast<Index>(random.uniform() < share);
          const auto count = static_cast<Index>(draw_batch(requests, rows, contested).size());
          in_period += count;
          spent += static_cast<double>(count) / (4 * 20 * 20);
          if (1000 % rows == 0) {
            ASSERT_LE(in_period, 20);
          }
          ASSERT_LE(requests.state().period_labels, 20);
        }
      }
      // The rate is at most 1, so that now and then one of the last labels of a period is not drawn.
      EXPECT_GT(spent, 0.98) << "batches of " << rows << ", contested " << share;
    }
}

TEST(LabelRequests, DrawAllContestedRowsWhereTheyAreFewerThanTheBudget) {
  LabelRequests requests({.labels = 500, .period = 1000, .expiry = 100});
  EXPECT_EQ(drawn_ids(requests, 20, 50, 0.1).size(), 100U);
}

TEST(LabelRequests, StartAtTwiceTheUniformRateWhichFalls) {
  constexpr Index kSeeds = 400;
  std::array<double, 4> quarters{};
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    LabelRequests requests({.labels = 40, .period = 1000, .expiry = 100, .seed = seed});
    const auto ids = drawn_ids(requests, 50, 20, 0.3);  // 0.3 is also the share before the first row
    for (int q = 0; q < 4; ++q)
      quarters[static_cast<std::size_t>(q)] += static_cast<double>(count_between(ids, 250 * q, 250 * (q + 1))) / kSeeds;
  }
  // A rate of twice what is left over the rows that are left leaves (1 - t)^2 of the budget at the time t: 7/16, 5/16,
  // 3/16 and 1/16 of 40 are drawn in the quarters. Means of 400 periods have a standard deviation below 0.25; the
  // coarseness of batches and the budget's end add as much.
  for (const auto& [quarter, expected] : {std::pair(0, 17.5), {1, 12.5}, {2, 7.5}, {3, 2.5}})
    EXPECT_NEAR(quarters[static_cast<std::size_t>(quarter)], expected, 0.8) << "quarter " << quarter;
}

TEST(LabelRequests, DrawAllContestedRowsOfABatchWithTheSameProbability) {
  constexpr Index kSeeds = 20'000;
  std::array<Index, 30> drawn{};
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    LabelRequests requests({.labels = 100, .period = 600, .expiry = 100, .seed = seed});
    requests.begin_batch(30, 30, std::nullopt);
    for (Index n = 0; n < 30; ++n) drawn[static_cast<std::size_t>(n)] += requests.draws(n, true) ? 1 : 0;
  }
  // The share is (0.3 64 exp(-0.03) + 30) / (64 exp(-0.03) + 30), the rate 2 100 / 600. Nine tenths of the rate are for
  // contested rows, one tenth for all.
  const double old = 64 * std::exp(-30.0 / 1000);
  const double expected = 2.0 * 100 / 600 * (0.1 + 0.9 / ((0.3 * old + 30) / (old + 30)));
  const double deviation = std::sqrt(expected * (1 - expected) / kSeeds);
  for (std::size_t n = 0; n < drawn.size(); ++n)
    EXPECT_NEAR(static_cast<double>(drawn[n]) / kSeeds, expected, 4 * deviation) << "row " << n;
}

TEST(LabelRequests, DrawATenthOfTheRateAmongRowsThatAreNotContested) {
  constexpr Index kSeeds = 20'000;
  Index drawn = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    LabelRequests requests({.labels = 100, .period = 600, .expiry = 100, .seed = seed});
    requests.begin_batch(30, 0, std::nullopt);
    drawn += requests.draws(7, false) ? 1 : 0;
  }
  const double expected = 0.1 * 2 * 100 / 600;
  EXPECT_NEAR(static_cast<double>(drawn) / kSeeds, expected, 4 * std::sqrt(expected / kSeeds));
}

TEST(LabelRequests, DrawNoMoreWhileTooManyWaitForLabels) {
  LabelRequests requests({.labels = 1000, .period = 1000, .expiry = 1'000'000}, {.most_pending = 5});
  for (Index b = 0; b < 20; ++b) draw_batch(requests, 50, 50);
  EXPECT_EQ(requests.pending(), 5);
}

TEST(LabelRequests, DrawsOfRowsAreIndependent) {
  constexpr Index kSeeds = 20'000;
  Index both = 0, first = 0, second = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    LabelRequests requests({.labels = 100, .period = 600, .expiry = 100, .seed = seed});
    requests.begin_batch(30, 30, std::nullopt);
    const bool one = requests.draws(10, true), other = requests.draws(11, true);
    first += one, second += other, both += one && other;
  }
  const auto share = [](Index count) { return static_cast<double>(count) / kSeeds; };
  EXPECT_NEAR(share(both), share(first) * share(second), 0.012) << "three and a half standard deviations";
}

TEST(LabelRequests, DrawsDoNotDependOnLabels) {
  LabelRequests with({.labels = 100, .period = 1000, .expiry = 300, .seed = 5}), without = with;
  Random random(1);
  for (Index b = 0; b < 60; ++b) {
    const auto rows = draw_batch(with, 40, 20);
    ASSERT_EQ(rows, draw_batch(without, 40, 20));
    for (const Index n : rows) with.set_label(b * 40 + n, static_cast<Index>(random.below(4)));
    while (with.take()) continue;
  }
  EXPECT_LT(with.pending(), without.pending());
}

TEST(LabelRequests, PeriodsOfRowsBeginWithTheFirstBatchAfterTheirEnd) {
  LabelRequests requests({.labels = 5, .period = 100, .expiry = 1000});
  EXPECT_EQ(draw_batch(requests, 90, 90).size(), 5U);
  EXPECT_TRUE(draw_batch(requests, 20, 20).empty()) << "the period ends inside this batch";
  EXPECT_EQ(requests.state().period_rows, 110);
  draw_batch(requests, 10, 10);
  EXPECT_EQ(requests.state().period_rows, 10);
  EXPECT_LE(requests.state().period_labels, 5);
}

TEST(LabelRequests, ABatchLongerThanThePeriodHasTheBudgetOfOne) {
  LabelRequests requests({.labels = 5, .period = 100, .expiry = 1000});
  for (int b = 0; b < 4; ++b) EXPECT_EQ(draw_batch(requests, 1000, 1000).size(), 5U);
}

TEST(LabelRequests, PeriodsOfTimeRenewTheBudgetByTheTimesOfTheBatches) {
  constexpr Index kSeeds = 20, kWeeks = 10;
  double spent = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    LabelRequests requests({.labels = 10, .period = 7, .in_time = true, .expiry = 100'000, .seed = seed});
    for (Index week = 0; week < kWeeks; ++week) {
      Index drawn = 0;
      for (Index day = 7 * week; day < 7 * (week + 1); ++day)
        drawn += static_cast<Index>(draw_batch(requests, 50, 25, 100 + static_cast<double>(day)).size());
      EXPECT_LE(drawn, 10);
      spent += static_cast<double>(drawn) / (10 * kSeeds * kWeeks);
    }
  }
  EXPECT_GT(spent, 0.98) << "what is left on the last day of a week is spent then";
}

TEST(LabelRequests, RequestNothingByTimeUntilTheTimeHasChanged) {
  LabelRequests requests({.labels = 10, .period = 7, .in_time = true, .expiry = 1000});
  for (int b = 0; b < 5; ++b) EXPECT_TRUE(draw_batch(requests, 50, 50, 3).empty());
  EXPECT_FALSE(draw_batch(requests, 50, 50, 4).empty());
}

TEST(LabelRequests, RequestNothingByTimeForBatchesWithoutTimes) {
  LabelRequests requests({.labels = 10, .period = 7, .in_time = true, .expiry = 1000});
  for (int b = 0; b < 50; ++b) EXPECT_TRUE(draw_batch(requests, 50, 50).empty());
}

TEST(LabelRequests, BatchesWithoutATimeHaveThatOfTheBatchBefore) {
  LabelRequests requests({.labels = 10, .period = 7, .in_time = true, .expiry = 1000});
  draw_batch(requests, 50, 50, 0);
  draw_batch(requests, 50, 50, 6);
  const Index labels = requests.state().period_labels;
  EXPECT_GT(labels, 0);
  draw_batch(requests, 50, 50);
  EXPECT_GE(requests.state().period_labels, labels) << "the same period";
  EXPECT_EQ(requests.state().time, 6);
}

TEST(LabelRequests, ATimeThatJumpsOverPeriodsBeginsOne) {
  LabelRequests requests({.labels = 10, .period = 7, .in_time = true, .expiry = 100'000});
  draw_batch(requests, 50, 50, 0);
  for (const double time : {1e3, 1e9, 1e200, 1e290}) {
    EXPECT_LE(draw_batch(requests, 50, 50, time).size(), 10U) << time;
    EXPECT_EQ(requests.state().period_start, time);
  }
}

TEST(LabelRequests, ATimeThatJumpsBackKeepsThePeriodAndItsBudget) {
  LabelRequests requests({.labels = 10, .period = 7, .in_time = true, .expiry = 100'000});
  Index drawn = 0;
  for (const double time : {100.0, 101.0, 50.0, 102.0, -1e290, 103.0, 99.9999, 104.0, 106.0})
    for (int b = 0; b < 10; ++b) drawn += static_cast<Index>(draw_batch(requests, 50, 50, time).size());
  EXPECT_LE(drawn, 10);
  EXPECT_EQ(requests.state().period_start, 100);
}

TEST(LabelRequests, ReturnLabelsInTheOrderDrawnHoweverTheyArrive) {
  auto requests = with_one_request_a_row(4, 1000);
  EXPECT_TRUE(requests.set_label(2, 7));
  EXPECT_TRUE(requests.set_label(1, 8));
  EXPECT_FALSE(requests.take()) << "the oldest has no label";
  EXPECT_TRUE(requests.set_label(0, 9));
  for (const auto& [id, label] : {std::pair(0, 9), {1, 8}, {2, 7}}) {
    const auto taken = requests.take();
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->id, id);
    EXPECT_EQ(taken->true_label, label);
  }
  EXPECT_FALSE(requests.take());
  EXPECT_EQ(requests.pending(), 1);
}

TEST(LabelRequests, ExpireInTheOrderDrawnOnceTheStreamHasGoneOnByTheExpiry) {
  auto requests = with_one_request_a_row(3, 10);  // drawn at rows 0, 1 and 2
  EXPECT_TRUE(requests.set_label(1, 5));
  draw_batch(requests, 6, 0);  // 9 rows
  EXPECT_FALSE(requests.take());
  draw_batch(requests, 1, 0);  // 10 rows: row 0 expires, and the label behind it is free
  const auto expired = requests.take(), labelled = requests.take();
  ASSERT_TRUE(expired && labelled);
  EXPECT_EQ(expired->id, 0);
  EXPECT_FALSE(expired->true_label);
  EXPECT_EQ(labelled->true_label, 5);
  EXPECT_FALSE(requests.take()) << "row 2 has two more rows";
  EXPECT_FALSE(requests.set_label(0, 1)) << "too late";
  EXPECT_TRUE(requests.set_label(2, 1)) << "in time";
  draw_batch(requests, 100, 0);
  EXPECT_EQ(requests.take()->true_label, 1) << "a label that has arrived does not expire";
}

TEST(LabelRequests, RefuseUnknownAndRepeatedIds) {
  auto requests = with_one_request_a_row(2, 1000);
  EXPECT_FALSE(requests.set_label(99, 0));
  EXPECT_TRUE(requests.set_label(1, 3));
  EXPECT_FALSE(requests.set_label(1, 4)) << "the first label stays";
  EXPECT_TRUE(requests.set_label(0, 2));
  requests.take();
  EXPECT_EQ(requests.take()->true_label, 3);
  EXPECT_FALSE(requests.set_label(0, 2)) << "applied already";
}

TEST(LabelRequests, AnIdRefersToTheNewestRequestThatHasIt) {
  LabelRequests requests({.labels = 10, .period = 1000, .expiry = 100});
  for (int b = 0; b < 2; ++b) {
    requests.begin_batch(1, 0, std::nullopt);
    requests.add(request_of(requests, 7, 0));
    requests.end_batch();
  }
  EXPECT_TRUE(requests.set_label(7, 3));
  EXPECT_FALSE(requests.set_label(7, 2)) << "has its label, and the older one does not take another";
  EXPECT_FALSE(requests.state().pending[0].true_label);
  EXPECT_EQ(requests.state().pending[1].true_label, 3);
}

TEST(LabelRequests, EqualSeedsDrawEqualRowsAndOthersDoNot) {
  const LabelBudget budget{.labels = 100, .period = 1000, .expiry = 100, .seed = 8};
  LabelRequests one(budget), same(budget);
  const auto ids = drawn_ids(one, 40, 25, 0.6);
  EXPECT_EQ(drawn_ids(same, 40, 25, 0.6), ids);
  for (const std::uint64_t seed : {0, 7, 9, 1'000'000'000}) {
    LabelBudget other = budget;
    other.seed = seed;
    LabelRequests requests(other);
    EXPECT_NE(drawn_ids(requests, 40, 25, 0.6), ids) << seed;
  }
}

TEST(LabelRequests, ContinueWithTheSameDrawsFromARestoredState) {
  for (const bool in_time : {false, true}) {
    const LabelBudget budget{
        .labels = 50, .period = in_time ? 10.0 : 400.0, .in_time = in_time, .expiry = 100, .seed = 8};
    LabelRequests saved(budget);
    const auto run = [](LabelRequests& requests, Index from, Index to) {
      std::vector<std::vector<Index>> drawn;
      for (Index b = from; b < to; ++b)
        drawn.push_back(draw_batch(requests, 1 + b % 30, (1 + b % 30) / 2, static_cast<double>(b)));
      return drawn;
    };
    run(saved, 0, 37);
    LabelRequests restored(budget);
    restored.state() = saved.state();
    EXPECT_EQ(run(restored, 37, 90), run(saved, 37, 90));
    EXPECT_EQ(restored.pending(), saved.pending());
  }
}

TEST(LabelRequests, BatchesOfOneDrawAsManyAsBatchesOfMany) {
  constexpr Index kSeeds = 200;
  const auto mean_drawn = [](Index rows) {
    double sum = 0, early = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      LabelRequests requests({.labels = 50, .period = 1000, .expiry = 100, .seed = seed});
      std::vector<std::int64_t> ids;
      for (Index row = 0; row < 1000; row += rows) {
        // The same rows are contested for every size of batches: four in ten.
        std::vector<Index> contested;
        for (Index n = 0; n < rows; ++n)
          if ((row + n) % 5 < 2) contested.push_back(n);
        requests.begin_batch(rows, static_cast<Index>(contested.size()), std::nullopt);
        for (const Index n : contested)
          if (requests.draws(n, true)) {
            requests.add(request_of(requests, row + n, n));
            ids.push_back(row + n);
          }
        requests.end_batch();
      }
      sum += static_cast<double>(ids.size()) / kSeeds;
      early += static_cast<double>(count_between(ids, 0, 300)) / kSeeds;
    }
    return std::pair(sum, early);
  };
  const auto [many, many_early] = mean_drawn(100);
  for (const Index rows : {1, 5, 20}) {
    const auto [sum, early] = mean_drawn(rows);
    EXPECT_NEAR(sum, many, 2) << rows;
    // Larger batches keep the rate of their first row throughout.
    EXPECT_NEAR(early, many_early, 0.1 * many_early) << rows;
  }
}

}  // namespace
}  // namespace stad::safe
