#include <algorithm>
#include <filesystem>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "server/store/store_test.hpp"

namespace stad::serving::testing {
namespace {

/// Records of streams as a store must return them, kept beside the store.
class Streams {
 public:
  explicit Streams(std::string path) : path_(std::move(path)) { reopen(); }

  void reopen() {
    store_.reset();
    store_ = open_store(path_);
  }
  Store& store() { return *store_; }

  void write_state(int stream, std::int64_t number) {
    expected_[stream] = numbered_record(number, 5000, 0);
    write(stream, expected_[stream]);
  }
  void add_change(int stream, std::int64_t number) {
    StreamRecord record = numbered_record(number, 0, 0);
    record.changes = {random_bytes(static_cast<std::size_t>(200 + number % 3000), number)};
    record.only_changes = true;
    StreamRecord& expected = expected_[stream];
    expected.changes.push_back(record.changes.front());
    expected.batches = record.batches;
    expected.rows = record.rows;
    expected.updated = record.updated;
    write(stream, record);
  }
  void remove(int stream) {
    expected_.erase(stream);
    store_->remove(name(stream), [](const Status& status) { EXPECT_TRUE(status); });
  }
  bool has(int stream) const { return expected_.contains(stream); }

  void check() {
    ASSERT_TRUE(store_->flush());
    ASSERT_EQ(*store_->count_streams("model"), std::ssize(expected_));
    for (const auto& [stream, expected] : expected_) {
      const StreamRecord found = load(*store_, name(stream));
      EXPECT_TRUE(same(found, expected)) << stream;
      EXPECT_EQ(found.changes, expected.changes) << stream;
      const auto listed = store_->streams("model", std::nullopt, 1000);
      EXPECT_TRUE(std::ranges::any_of(*listed, [&](const StreamSummary& summary) {
        return summary.stream == name(stream).stream && summary.batches == expected.batches &&
               summary.rows == expected.rows && summary.updated == expected.updated;
      }));
    }
  }

 private:
  static StreamName name(int stream) { return {"model", std::to_string(stream)}; }
  void write(int stream, StreamRecord record) {
    store_->save(name(stream), std::move(record), [](const Status& status) { EXPECT_TRUE(status); });
  }

  std::string path_;
  std::unique_ptr<Store> store_;
  std::map<int, StreamRecord> expected_;
};

TEST(StoreJournal, ChangesFollowTheirStateAndAreDroppedByTheNext) {
  const TemporaryDirectory directory;
  Streams streams(directory.file("stad.db"));
  streams.write_state(1, 1);
  streams.add_change(1, 2);
  streams.add_change(1, 3);
  streams.check();
  streams.reopen();
  streams.check();
  streams.add_change(1, 4);
  streams.check();
  streams.write_state(1, 5);
  streams.check();
  streams.reopen();
  streams.check();
}

/// Of random writes, of which many share a transaction, every stream has exactly its own, after every reopening too.
TEST(StoreJournal, ReturnsWhatWasWrittenWhateverTheOrder) {
  const TemporaryDirectory directory;
  Streams streams(directory.file("stad.db"));
  std::mt19937 random(1);
  for (std::int64_t number = 1; number <= 4000; ++number) {
    const int stream = static_cast<int>(random() % 12);
    const auto choice = random() % 100;
    if (!streams.has(stream) || choice < 4)
      streams.write_state(stream, number);
    else if (choice < 5)
      streams.remove(stream);
    else
      streams.add_change(stream, number);
    if (number % 500 == 0) streams.check();
    if (number % 1000 == 0) streams.reopen();
  }
  streams.check();
}

/// Each of many idle streams has a change in a row whose other changes, of busy streams, are not needed any more. The
/// rows take 12 MB together, the changes that are needed less than one.
TEST(StoreJournal, IsCompactedAroundIdleStreams) {
  const TemporaryDirectory directory;
  const std::string path = directory.file("stad.db");
  Streams streams(path);
  constexpr int kBusy = 20;
  for (int idle = 0; idle < 200; ++idle) {
    for (int busy = 0; busy < kBusy; ++busy) streams.write_state(1000 + busy, idle);
    streams.write_state(idle, 1);
    ASSERT_TRUE(streams.store().flush());
    std::promise<void> queued;  // until then the thread of the store waits, so that the changes share a transaction
    streams.store().probe([future = queued.get_future().share()](const Status&) { future.wait(); });
    streams.add_change(idle, 2);
    for (int busy = 0; busy < kBusy; ++busy) streams.add_change(1000 + busy, 2999);
    queued.set_value();
    ASSERT_TRUE(streams.store().flush());
  }
  streams.check();
  streams.reopen();
  streams.check();
  EXPECT_LT(std::filesystem::file_size(path), 9'000'000U);
}

TEST(StoreJournal, OfARemovedModelIsEmpty) {
  const TemporaryDirectory directory;
  const auto store = open_store(directory.file("stad.db"));
  StreamRecord change = numbered_record(2, 0, 0);
  change.changes = {"change"};
  change.only_changes = true;
  ASSERT_TRUE(save(*store, {"model", "s"}, numbered_record(1, 100)));
  ASSERT_TRUE(save(*store, {"model", "s"}, change));
  ASSERT_TRUE(wait_for([&](Store::Done done) { store->remove_model("model", std::move(done)); }));
  ASSERT_TRUE(save(*store, {"model", "s"}, numbered_record(1, 100)));
  EXPECT_TRUE(load(*store, {"model", "s"}).changes.empty());
}

}  // namespace
}  // namespace stad::serving::testing
