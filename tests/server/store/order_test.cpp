#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "server/store/store_test.hpp"

namespace stad::serving::testing {
namespace {

TEST(StoreOrder, WritesAreDoneInTheOrderTheyCame) {
  const TemporaryDirectory directory;
  std::vector<int> finished;  // on the store's thread alone, until it has ended
  {
    const auto store = open_store(directory.file("stad.db"));
    for (int i = 0; i < 500; ++i) {
      const StreamName name{"model", std::to_string(i % 3)};
      const auto done = [&finished, i](const Status& status) { finished.push_back(status ? i : -1); };
      if (i % 7 == 6) {
        store->remove(name, done);
      } else {
        store->save(name, numbered_record(i, 100), done);
      }
    }
  }
  ASSERT_EQ(finished.size(), 500U) << "destruction writes what waits";
  for (int i = 0; i < 500; ++i) EXPECT_EQ(finished[static_cast<std::size_t>(i)], i);
  const auto store = open_store(directory.file("stad.db"));
  for (int i = 497; i < 500; ++i)
    EXPECT_TRUE(same(load(*store, {"model", std::to_string(i % 3)}), numbered_record(i, 100))) << i;
}

TEST(StoreOrder, WhoWasToldReadsWhatWasWritten) {
  const TemporaryDirectory directory;
  const auto store = open_store(directory.file("stad.db"));
  for (std::int64_t number = 0; number < 50; ++number) {
    ASSERT_TRUE(save(*store, {"model", ""}, numbered_record(number, 3000)));
    EXPECT_EQ(load(*store, {"model", ""}).batches, number);
  }
}

TEST(StoreOrder, ADoneMayWriteAgain) {
  const TemporaryDirectory directory;
  const auto store = open_store(directory.file("stad.db"));
  std::promise<void> ended;
  std::function<void(std::int64_t)> chain = [&](std::int64_t number) {
    store->save({"model", ""}, numbered_record(number, 10), [&, number](const Status& status) {
      EXPECT_TRUE(status);
      if (number == 20) return ended.set_value();
      chain(number + 1);
    });
  };
  chain(0);
  ended.get_future().get();
  EXPECT_EQ(load(*store, {"model", ""}).batches, 20);
}

TEST(StoreThreads, AHundredWriteAndReadAtOnce) {
  for (const bool in_memory : {false, true}) {
    const TemporaryDirectory directory;
    const auto store = open_store(in_memory ? "" : directory.file("stad.db"));
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 100; ++t)
      threads.emplace_back([&, t] {
        const StreamName name{"model", std::to_string(t)};
        for (std::int64_t number = t; number < t + 10; ++number) {
          wrong += !save(*store, name, numbered_record(number, 5000));
          wrong += !same(load(*store, name), numbered_record(number, 5000));
          store->add_event({.time = 0, .name = name, .kind = "mode", .detail = ""}, [](const Status&) {});
          if (number % 5 == 0) wrong += !take_snapshot(*store, name, numbered_record(number, 500), "", 1);
          if (number % 7 == 0) wrong += !store->streams("model", std::nullopt, 10);
        }
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
    ASSERT_TRUE(store->flush());
    EXPECT_EQ(*store->count_streams("model"), 100);
    EXPECT_EQ(store->events("", std::nullopt, 5000)->size(), 1000U);
  }
}

}  // namespace
}  // namespace stad::serving::testing
