#include <limits>

#include <gtest/gtest.h>

#include "server/store/store_test.hpp"

namespace stad::serving::testing {
namespace {

/// In a file and in memory.
class StoreRoundTrip : public ::testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<Store> open() const { return open_store(GetParam() ? directory_.file("stad.db") : ""); }
  TemporaryDirectory directory_;
};
INSTANTIATE_TEST_SUITE_P(FileAndMemory, StoreRoundTrip, ::testing::Bool(),
                         [](const auto& chosen) { return chosen.param ? "File" : "Memory"; });

const std::vector<StreamName> kNames = {{"model", ""},
                                        {"model", "a"},
                                        {"model", std::string("a\0b", 3)},
                                        {"model", "\xf0\x9f\x8c\xb7 \xc3\xa9"},
                                        {"model", "not \xff\xfe text"},
                                        {"m", "odel"},
                                        {"'; DROP TABLE streams; --", "%_\\"},
                                        {std::string("model\0", 6), ""}};

TEST_P(StoreRoundTrip, GivesBackWhatWasSavedUnderAnyName) {
  const auto store = open();
  for (std::size_t i = 0; i < kNames.size(); ++i)
    ASSERT_TRUE(save(*store, kNames[i], numbered_record(static_cast<std::int64_t>(i), 1000 + i)));
  for (std::size_t i = 0; i < kNames.size(); ++i)
    EXPECT_TRUE(same(load(*store, kNames[i]), numbered_record(static_cast<std::int64_t>(i), 1000 + i))) << i;
  EXPECT_FALSE(store->load({"model", "b"})->has_value());
  EXPECT_FALSE(store->load({"", ""})->has_value());
}

TEST_P(StoreRoundTrip, GivesBackStatesOfAnyLength) {
  const auto store = open();
  for (const std::size_t length : {0U, 1U, 8191U, 8192U, 80'000U, 2'000'000U, 600'000U, 3U}) {
    ASSERT_TRUE(save(*store, {"model", "stream"}, numbered_record(40, length)));
    EXPECT_TRUE(same(load(*store, {"model", "stream"}), numbered_record(40, length))) << length;
  }
}

TEST_P(StoreRoundTrip, GivesBackNumbersAtTheirLimits) {
  const auto store = open();
  StreamRecord record = numbered_record(0, 10);
  record.batches = std::numeric_limits<std::int64_t>::max();
  record.rows = std::numeric_limits<std::int64_t>::min();
  record.updated = 0.1;
  record.answers = {{.key = "", .digest = ~std::uint64_t{0}, .json_length = -1, .body = std::string(5, '\0')}};
  ASSERT_TRUE(save(*store, {"model", ""}, record));
  EXPECT_TRUE(same(load(*store, {"model", ""}), record));
}

TEST_P(StoreRoundTrip, AnswersFollowTheRing) {
  const auto store = open();
  for (std::int64_t number = 0; number < 60; number += 1 + number % 5) {
    ASSERT_TRUE(save(*store, {"model", ""}, numbered_record(number, 50)));
    ASSERT_TRUE(same(load(*store, {"model", ""}), numbered_record(number, 50))) << number;
  }
}

/// Rings that did not simply go on: emptied, turned back, in another order, with a body that changed, one twice.
TEST_P(StoreRoundTrip, AnswersAreWhatWasSavedLastWhateverWasThere) {
  const auto store = open();
  const KeptAnswer a{"a", 1, -1, "one"}, b{"b", 2, 7, "two"}, c{"c", 3, -1, ""};
  KeptAnswer changed = b;
  changed.body = "TWO";
  KeptAnswer longer = b;
  longer.json_length = 8;
  const std::vector<std::vector<KeptAnswer>> rings = {
      {a, b, c}, {b, c},    {c, b}, {b, c, a}, {a, changed}, {a, b}, {a, longer},  {},          {a, a},
      {a},       {a, a, a}, {b, a}, {c},       {a, b, c},    {a, c}, {a, b, c, a}, {changed, b}};
  for (std::size_t i = 0; i < rings.size(); ++i) {
    StreamRecord record = numbered_record(5, 50);
    record.answers = rings[i];
    ASSERT_TRUE(save(*store, {"model", ""}, record));
    EXPECT_EQ(load(*store, {"model", ""}).answers, rings[i]) << i;
  }
}

TEST_P(StoreRoundTrip, ListsStreamsByNameFromTheDefaultOneOn) {
  const auto store = open();
  const std::vector<std::string> names = {"", std::string("\0", 1), "a", std::string("a\0", 2), "a b", "b"};
  for (std::size_t i = names.size(); i-- > 0;)
    ASSERT_TRUE(save(*store, {"model", names[i]}, numbered_record(static_cast<std::int64_t>(i), 100 * i)));
  ASSERT_TRUE(save(*store, {"other", "c"}, numbered_record(1, 1)));
  std::vector<std::string> listed;
  for (std::optional<std::string> after;;) {
    const auto page = store->streams("model", after, 2);
    ASSERT_TRUE(page);
    if (page->empty()) break;
    ASSERT_LE(page->size(), 2U);
    for (const StreamSummary& line : *page) {
      EXPECT_EQ(line.bytes, static_cast<std::int64_t>(100 * listed.size()));
      EXPECT_EQ(line.batches, static_cast<std::int64_t>(listed.size()));
      EXPECT_EQ(line.rows, 64 * line.batches);
      EXPECT_EQ(line.updated, numbered_record(line.batches, 0).updated);
      listed.push_back(line.stream);
    }
    after = page->back().stream;
  }
  EXPECT_EQ(listed, names);
  EXPECT_EQ(*store->count_streams("model"), 6);
  EXPECT_EQ(*store->count_streams("other"), 1);
  EXPECT_EQ(*store->count_streams("none"), 0);
}

TEST(Store, KeepsWhatWasSavedWhenItIsOpenedAgain) {
  const TemporaryDirectory directory;
  for (std::int64_t number = 0; number < 5; ++number) {
    const auto store = open_store(directory.file("stad.db"));
    if (number > 0) {
      EXPECT_TRUE(same(load(*store, {"model", ""}), numbered_record(number - 1, 9000)));
    }
    ASSERT_TRUE(save(*store, {"model", ""}, numbered_record(number, 9000)));
  }
}

TEST(Store, WithoutAPathKeepsNothing) {
  ASSERT_TRUE(save(*open_store(""), {"model", ""}, numbered_record(1, 10)));
  EXPECT_FALSE(open_store("")->load({"model", ""})->has_value());
  EXPECT_FALSE(open_store("")->backup("somewhere"));
}

}  // namespace
}  // namespace stad::serving::testing
