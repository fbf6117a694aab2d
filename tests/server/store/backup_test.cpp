#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "server/store/database_text.hpp"
#include "server/store/store_test.hpp"

namespace stad::serving::testing {
namespace {

TEST(StoreBackup, IsWhatTheStoreHolds) {
  const TemporaryDirectory directory;
  const auto store = open_store(directory.file("stad.db"));
  ASSERT_TRUE(save(*store, {"model", ""}, numbered_record(20, 50'000)));
  ASSERT_TRUE(take_snapshot(*store, {"model", ""}, numbered_record(19, 10), "kept", 3));
  ASSERT_TRUE(store->backup(directory.file("copy.db")));
  EXPECT_EQ(first_value(directory.file("copy.db"), "PRAGMA integrity_check"), "ok");
  const auto copy = open_store(directory.file("copy.db"));
  EXPECT_TRUE(same(load(*copy, {"model", ""}), numbered_record(20, 50'000)));
  EXPECT_EQ(copy->snapshots({"model", ""})->front().note, "kept");
}

/// The second stream follows the first one: at any moment it has its number or the one before.
TEST(StoreBackup, IsOfOneMomentWhileOthersWrite) {
  const TemporaryDirectory directory;
  const auto store = open_store(directory.file("stad.db"));
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(save(*store, {"bulk", std::to_string(i)}, numbered_record(i, 500'000)));
  std::atomic<bool> ending = false;
  std::atomic<std::int64_t> written = 0;
  std::thread writer([&] {
    for (std::int64_t number = 0; !ending; ++number) {
      store->save({"model", "first"}, numbered_record(number, 20'000), [](const Status&) {});
      EXPECT_TRUE(save(*store, {"model", "second"}, numbered_record(number, 20'000)));
      written = number;
    }
  });
  while (written < 3) std::this_thread::yield();
  std::int64_t written_meanwhile = 0;
  for (int i = 0; i < 5; ++i) {
    const std::string path = directory.file("copy" + std::to_string(i));
    const std::int64_t before = written;
    ASSERT_TRUE(store->backup(path));
    written_meanwhile += written - before;
    const auto copy = open_store(path);
    const StreamRecord first = load(*copy, {"model", "first"}), second = load(*copy, {"model", "second"});
    EXPECT_TRUE(same(first, numbered_record(first.batches, 20'000)));
    EXPECT_TRUE(same(second, numbered_record(second.batches, 20'000)));
    EXPECT_TRUE(first.batches == second.batches || first.batches == second.batches + 1);
    EXPECT_GE(second.batches, before);
    EXPECT_EQ(*copy->count_streams("bulk"), 40);
  }
  ending = true;
  writer.join();
  EXPECT_GT(written_meanwhile, 0) << "writers wait for the copy";
}

TEST(StoreBackup, NeverReplacesAFile) {
  const TemporaryDirectory directory;
  const auto store = open_store(directory.file("stad.db"));
  directory.write("copy.db", "precious");
  const Status result = store->backup(directory.file("copy.db"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::kInvalid);
  EXPECT_EQ(result.error().message,
            directory.file("copy.db") + ": exists already and is not replaced; name another file");
  EXPECT_EQ(directory.read("copy.db"), "precious");
}

TEST(StoreBackup, LeavesNothingWhereItFails) {
  const TemporaryDirectory directory;
  const auto store = open_store(directory.file("stad.db"));
  const std::size_t files = directory.files();
  const Status result = store->backup(directory.file("no such folder/copy.db"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            directory.file("no such folder/copy.db") + ": cannot be made: No such file or directory");
  EXPECT_EQ(directory.files(), files);
}

}  // namespace
}  // namespace stad::serving::testing
