#include "safe/remembered_rows.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

namespace stad::safe {
namespace {

using Ids = std::vector<std::int64_t>;

/// Rows of two dimensions whose first value is their number, all of class 1 to all.
void remember(RememberedRows& remembered, const Ids& ids, float first = 0) {
  const auto count = static_cast<Index>(ids.size());
  FloatRows rows(count, 2);
  for (Index n = 0; n < count; ++n) rows.row(n) << first + static_cast<float>(n), 1;
  FloatRows responsibilities = FloatRows::Zero(count, 3);
  responsibilities.col(1).setOnes();
  remembered.remember(ids, as_rows(rows), as_rows(responsibilities));
  remembered.note(std::vector<Opinions>(ids.size(), {.source = 1, .mixture = 1, .adapted = 1}));
}

Ids numbers(std::int64_t first, std::size_t count) {
  Ids ids(count);
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

TEST(SafeRememberedRows, AreNoneAtFirst) {
  const RememberedRows remembered(3, 2);
  EXPECT_FALSE(remembered.in_use());
  EXPECT_EQ(remembered.find(0), RememberedRows::kNone);
}

TEST(SafeRememberedRows, AreFoundByTheirIds) {
  RememberedRows remembered(3, 2);
  remember(remembered, {7, -3, std::numeric_limits<std::int64_t>::min()});
  EXPECT_EQ(remembered.row(remembered.find(-3))[0], 1);
  EXPECT_EQ(remembered.row(remembered.find(std::numeric_limits<std::int64_t>::min()))[0], 2);
  EXPECT_EQ(remembered.find(0), RememberedRows::kNone) << "places that are empty have no name";
}

TEST(SafeRememberedRows, OfOneNameTheNewestCounts) {
  RememberedRows remembered(3, 2);
  remember(remembered, {4, 4});
  EXPECT_EQ(remembered.row(remembered.find(4))[0], 1);
  remember(remembered, {4}, 20);
  EXPECT_EQ(remembered.row(remembered.find(4))[0], 20);
}

TEST(SafeRememberedRows, AreTheNewestOnes) {
  RememberedRows remembered(3, 2);
  const Index most = RememberedRows::kMost;
  for (const std::size_t size : {std::size_t{1}, std::size_t{100}, std::size_t{700}}) {
    for (std::int64_t first = 0; first < 2000; first += static_cast<std::int64_t>(size))
      remember(remembered, numbers(first, size), static_cast<float>(first));
    const auto rounds = (2000 + static_cast<Index>(size) - 1) / static_cast<Index>(size);
    const Index end = rounds * static_cast<Index>(size);
    EXPECT_EQ(remembered.row(remembered.find(end - 1))[0], static_cast<float>(end - 1));
    EXPECT_EQ(remembered.row(remembered.find(end - most))[0], static_cast<float>(end - most));
    EXPECT_EQ(remembered.find(end - most - 1), RememberedRows::kNone) << size;
  }
}

TEST(SafeRememberedRows, KnowWhatHasFadedSince) {
  RememberedRows remembered(3, 2);
  remember(remembered, {1});
  FloatRows heard(2, 3);
  heard << 0, 1, 0.25F, 0, 1.5F, 0.25F;
  remembered.fade(0.5);
  remembered.hear(as_rows(heard));
  remember(remembered, {2});
  remembered.hear(as_rows(heard));
  const Index old = remembered.find(1);
  const Index young = remembered.find(2);
  EXPECT_DOUBLE_EQ(remembered.heard_since(old, 0), 0);
  EXPECT_DOUBLE_EQ(remembered.heard_since(old, 1), 5);
  EXPECT_DOUBLE_EQ(remembered.heard_since(young, 1), 2.5);
  EXPECT_DOUBLE_EQ(remembered.kept_since(old), 0.5);
  EXPECT_DOUBLE_EQ(remembered.kept_since(young), 1);
  remembered.fade(0);
  EXPECT_LT(remembered.kept_since(young), 1e-100) << "and stays finite";
  EXPECT_TRUE(std::isfinite(remembered.kept_since(old)));
}

}  // namespace
}  // namespace stad::safe
