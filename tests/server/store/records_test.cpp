#include <gtest/gtest.h>

#include "server/store/store_test.hpp"

namespace stad::serving::testing {
namespace {

const StreamName kName{"model", "stream"};

std::vector<std::int64_t> ids_of(const Store& store, const StreamName& name) {
  std::vector<std::int64_t> ids;
  const auto lines = store.snapshots(name);
  for (const SnapshotSummary& line : *lines) ids.push_back(line.id);
  return ids;
}

TEST(StoreSnapshots, KeepTheNewestAndGiveThemBackWhole) {
  const TemporaryDirectory directory;
  const auto store = open_store(directory.file("stad.db"));
  const std::int64_t other = *take_snapshot(*store, {"model", ""}, numbered_record(9, 10), "of another stream", 3);
  std::vector<std::int64_t> ids;
  for (std::int64_t number = 1; number <= 5; ++number)
    ids.push_back(*take_snapshot(*store, kName, numbered_record(number, 9000, 0), "note " + std::to_string(number), 3));
  EXPECT_EQ(ids_of(*store, kName), (std::vector{ids[4], ids[3], ids[2]}));
  EXPECT_EQ(ids_of(*store, {"model", ""}), std::vector{other});

  const SnapshotSummary newest = store->snapshots(kName)->front();
  EXPECT_EQ(newest.note, "note 5");
  EXPECT_EQ(newest.batches, 5);
  EXPECT_EQ(newest.bytes, 9000);
  EXPECT_GT(newest.created, 1.7e9);
  EXPECT_TRUE(same(**store->snapshot(kName, ids[2]), numbered_record(3, 9000, 0)));
  EXPECT_FALSE(store->snapshot(kName, ids[1])->has_value());
  EXPECT_FALSE(store->snapshot(kName, other)->has_value()) << "a snapshot of another stream";
}

TEST(StoreSnapshots, NeverUseAnIdAgain) {
  const TemporaryDirectory directory;
  std::int64_t last = 0;
  for (int round = 0; round < 3; ++round) {
    const auto store = open_store(directory.file("stad.db"));
    const auto id = take_snapshot(*store, kName, numbered_record(1, 10), "", 1);
    ASSERT_TRUE(id);
    EXPECT_GT(*id, last);
    last = *id;
    ASSERT_TRUE(wait_for([&](Store::Done done) { store->remove(kName, std::move(done)); }));
    EXPECT_TRUE(ids_of(*store, kName).empty());
  }
}

TEST(StoreSnapshots, AreNeverFewerThanOne) {
  const auto result = take_snapshot(*open_store(""), kName, numbered_record(1, 10), "", 0);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "snapshot: kept = 0, must be >= 1");
}

TEST(Store, ForgetsAStreamWithItsAnswersAndSnapshots) {
  const auto store = open_store("");
  ASSERT_TRUE(save(*store, kName, numbered_record(20, 10)));
  ASSERT_TRUE(save(*store, {"model", ""}, numbered_record(21, 10)));
  ASSERT_TRUE(take_snapshot(*store, kName, numbered_record(20, 10), "", 3));
  ASSERT_TRUE(wait_for([&](Store::Done done) { store->remove(kName, std::move(done)); }));
  EXPECT_FALSE(store->load(kName)->has_value());
  EXPECT_TRUE(store->snapshots(kName)->empty());
  EXPECT_TRUE(same(load(*store, {"model", ""}), numbered_record(21, 10)));

  StreamRecord fresh = numbered_record(1, 10);
  fresh.answers.clear();
  ASSERT_TRUE(save(*store, kName, fresh));
  EXPECT_TRUE(load(*store, kName).answers.empty()) << "answers of the stream that was forgotten";
}

TEST(StoreModels, AreGivenBackByNameAndReplaced) {
  const TemporaryDirectory directory;
  {
    const auto store = open_store(directory.file("stad.db"));
    for (const ModelRecord& model :
         {ModelRecord{"b", "{}", random_bytes(100'000, 1)}, ModelRecord{"a", "{\"x\":1}", ""},
          ModelRecord{"b", "{\"y\":2}", random_bytes(300, 2)}})
      ASSERT_TRUE(wait_for([&](Store::Done done) { store->save_model(model, std::move(done)); }));
  }
  const auto models = open_store(directory.file("stad.db"))->models();
  ASSERT_TRUE(models);
  ASSERT_EQ(models->size(), 2U);
  EXPECT_EQ(models->at(0).name, "a");
  EXPECT_EQ(models->at(1).specification, "{\"y\":2}");
  EXPECT_EQ(models->at(1).source, random_bytes(300, 2));
}

TEST(StoreModels, TakeTheirStreamsAlongWhenTheyGo) {
  const auto store = open_store("");
  ASSERT_TRUE(wait_for([&](Store::Done done) { store->save_model({"model", "{}", "npz"}, std::move(done)); }));
  for (const StreamName& name : {StreamName{"model", ""}, kName, StreamName{"models", ""}}) {
    ASSERT_TRUE(save(*store, name, numbered_record(3, 10)));
    ASSERT_TRUE(take_snapshot(*store, name, numbered_record(3, 10), "", 3));
  }
  ASSERT_TRUE(wait_for([&](Store::Done done) { store->remove_model("model", std::move(done)); }));
  EXPECT_TRUE(store->models()->empty());
  EXPECT_EQ(*store->count_streams("model"), 0);
  EXPECT_TRUE(store->snapshots(kName)->empty());
  EXPECT_TRUE(same(load(*store, {"models", ""}), numbered_record(3, 10)));
  EXPECT_EQ(store->snapshots({"models", ""})->size(), 1U);
}

TEST(StoreEvents, AreFoundByModelAndStreamNewestFirst) {
  const auto store = open_store("");
  store->add_event({.time = 1.5, .name = {"a", ""}, .kind = "reset", .detail = "first"}, [](const Status&) {});
  store->add_event({.time = 2.5, .name = {"a", "s"}, .kind = "mode", .detail = "second"}, [](const Status&) {});
  store->add_event({.time = 3.5, .name = {"b", "s"}, .kind = "model", .detail = "third"}, [](const Status&) {});
  ASSERT_TRUE(store->flush());
  const auto details = [&](const std::string& model, const std::optional<std::string>& stream, std::int64_t limit) {
    std::string all;
    const auto events = store->events(model, stream, limit);
    for (const Event& event : *events) all += event.detail + " ";
    return all;
  };
  EXPECT_EQ(details("", std::nullopt, 10), "third second first ");
  EXPECT_EQ(details("", std::nullopt, 2), "third second ");
  EXPECT_EQ(details("a", std::nullopt, 10), "second first ");
  EXPECT_EQ(details("a", "", 10), "first ");
  EXPECT_EQ(details("a", "s", 10), "second ");
  EXPECT_EQ(details("c", std::nullopt, 10), "");
  const Event newest = store->events("", std::nullopt, 1)->front();
  EXPECT_EQ(newest.time, 3.5);
  EXPECT_EQ(newest.name, (StreamName{"b", "s"}));
  EXPECT_EQ(newest.kind, "model");
}

TEST(StoreEvents, AreForgottenBeyondTenThousand) {
  const auto store = open_store("");
  for (int i = 0; i < 10'050; ++i)
    store->add_event({.time = static_cast<double>(i), .name = {"model", ""}, .kind = "mode", .detail = ""},
                     [](const Status&) {});
  ASSERT_TRUE(store->flush());
  const auto events = store->events("", std::nullopt, 20'000);
  ASSERT_EQ(events->size(), 10'000U);
  EXPECT_EQ(events->front().time, 10'049);
  EXPECT_EQ(events->back().time, 50);
}

}  // namespace
}  // namespace stad::serving::testing
