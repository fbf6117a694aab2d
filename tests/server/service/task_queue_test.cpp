#include "server/service/task_queue.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace stad::server {
namespace {

InferTask request_of(Index rows, bool adapt = true) {
  InferTask task;
  task.request.features.resize(rows, 2);
  task.request.adapt = adapt;
  return task;
}

TEST(TaskQueue, GivesTheTurnToOneAtATime) {
  TaskQueue queue({});
  EXPECT_TRUE(queue.push(request_of(1)));
  EXPECT_FALSE(queue.push(request_of(2)));
  EXPECT_EQ(queue.next().requests.at(0).request.features.rows(), 1);
  EXPECT_EQ(queue.next().requests.at(0).request.features.rows(), 2);
  EXPECT_FALSE(queue.is_idle());
  EXPECT_TRUE(queue.next().requests.empty());
  EXPECT_TRUE(queue.is_idle());
  EXPECT_TRUE(queue.push(request_of(3)));
}

TEST(TaskQueue, GathersAlikeRequestsUpToTheLargestBatch) {
  TaskQueue queue({.max_batch = 4, .max_delay = {}});
  for (int i = 0; i < 5; ++i) queue.push(request_of(1));
  queue.push(request_of(1, false));
  queue.push(StreamTask([](Stream&) {}));
  EXPECT_EQ(queue.next().requests.size(), 4u);
  EXPECT_EQ(queue.next().requests.size(), 1u) << "one that learns and one that does not are no batch";
  EXPECT_EQ(queue.next().requests.size(), 1u);
  EXPECT_TRUE(queue.next().other);
}

TEST(TaskQueue, WaitsForMoreUntilTheBatchIsFull) {
  TaskQueue queue({.max_batch = 2, .max_delay = std::chrono::hours(1)});
  EXPECT_TRUE(queue.push(request_of(1)));
  const auto waits = queue.next();
  EXPECT_TRUE(waits.wait_until);
  EXPECT_TRUE(queue.push(request_of(1))) << "who fills the batch has the turn";
  EXPECT_FALSE(queue.resume(waits.ticket)) << "the one who waited comes too late";
  EXPECT_EQ(queue.next().requests.size(), 2u);
}

TEST(TaskQueue, WaitsNoLongerThanItMay) {
  TaskQueue queue({.max_batch = 9, .max_delay = std::chrono::milliseconds(1)});
  queue.push(request_of(1));
  const auto waits = queue.next();
  if (waits.wait_until) {  // else the millisecond has gone by already
    std::this_thread::sleep_until(*waits.wait_until);
    EXPECT_TRUE(queue.resume(waits.ticket));
    EXPECT_EQ(queue.next().requests.size(), 1u);
  } else {
    EXPECT_EQ(waits.requests.size(), 1u);
  }
}

}  // namespace
}  // namespace stad::server
