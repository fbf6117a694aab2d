#include "server/service/scheduler.hpp"

#include <future>
#include <thread>

#include <gtest/gtest.h>

#include <stad/eval/simulate.hpp>

namespace stad::server {
namespace {

const StreamName kName{"m", "s"};

class SchedulerTest : public testing::Test {
 protected:
  ~SchedulerTest() override {
    pool_.close();
    scheduler_.discard_tasks();
  }

  static ModelPointer model_with(Index max_batch, std::chrono::microseconds max_delay) {
    static const Simulation simulation = need(simulate({.steps = 1, .seed = 5}));
    ModelSpecification specification;
    specification.name = kName.model;
    specification.max_batch = max_batch;
    specification.max_delay = max_delay;
    return need(ServedModel::create(specification, simulation.source));
  }

  void submit_request(const ModelPointer& model, Index rows, bool adapt = true) {
    InferTask task;
    task.request.features.resize(rows, 2);
    task.request.adapt = adapt;
    scheduler_.submit(kName, model, std::move(task));
  }

  /// Occupies the stream until the result is set, so that tasks queue up.
  std::promise<void> occupy(const ModelPointer& model) {
    std::promise<void> release;
    scheduler_.submit(kName, model, StreamTask([future = release.get_future().share()](Stream&) { future.wait(); }));
    return release;
  }

  /// Waits until all tasks submitted so far were executed.
  void wait(const ModelPointer& model) {
    std::promise<void> executed;
    scheduler_.submit(kName, model, StreamTask([&](Stream&) { executed.set_value(); }));
    executed.get_future().wait();
  }

  std::vector<std::vector<Index>> answered_;  ///< rows of the requests of each batch
  TaskPool pool_{2};
  Scheduler scheduler_{pool_, [this](const StreamPointer&, std::vector<InferTask> tasks) {
                         auto& batch = answered_.emplace_back();
                         for (const auto& task : tasks) batch.push_back(task.request.features.rows());
                       }};
};

TEST_F(SchedulerTest, ExecutesTheTasksOfAStreamOneByOneInOrder) {
  const ModelPointer model = model_with(0, {});
  auto release = occupy(model);
  for (Index rows = 1; rows <= 100; ++rows) submit_request(model, rows);
  release.set_value();
  wait(model);
  ASSERT_EQ(answered_.size(), 100u);
  for (Index rows = 1; rows <= 100; ++rows) EXPECT_EQ(answered_[rows - 1], std::vector{rows});
}

TEST_F(SchedulerTest, ExecutesStreamsInParallel) {
  const ModelPointer model = model_with(0, {});
  auto release = occupy(model);
  std::promise<void> executed;
  scheduler_.submit({"m", "other"}, model, StreamTask([&](Stream&) { executed.set_value(); }));
  executed.get_future().wait();
  release.set_value();
}

TEST_F(SchedulerTest, JoinsCompatibleRequestsUpToTheLargestBatch) {
  const ModelPointer model = model_with(4, {});
  auto release = occupy(model);
  for (int i = 0; i < 5; ++i) submit_request(model, 1);
  submit_request(model, 1, false);
  release.set_value();
  wait(model);
  EXPECT_EQ(answered_, (std::vector<std::vector<Index>>{{1, 1, 1, 1}, {1}, {1}}))
      << "a request that adapts and one that does not are not compatible";
}

TEST_F(SchedulerTest, ABatchWaitsUntilItIsFull) {
  const ModelPointer model = model_with(3, std::chrono::hours(1));
  submit_request(model, 1);
  submit_request(model, 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(answered_.empty());
  submit_request(model, 1);
  wait(model);
  EXPECT_EQ(answered_, (std::vector<std::vector<Index>>{{1, 1, 1}}));
}

TEST_F(SchedulerTest, ABatchWaitsNoLongerThanTheDelay) {
  const ModelPointer model = model_with(9, std::chrono::milliseconds(1));
  submit_request(model, 1);
  while (scheduler_.size() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(answered_, (std::vector<std::vector<Index>>{{1}}));
}

TEST_F(SchedulerTest, AStreamWithoutASessionLeavesMemoryAfterItsLastTask) {
  const ModelPointer model = model_with(0, {});
  auto release = occupy(model);
  EXPECT_EQ(scheduler_.size("m"), 1u);
  EXPECT_TRUE(scheduler_.oldest_idle(1).empty());
  release.set_value();
  while (scheduler_.size() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(scheduler_.size("m"), 0u);
  EXPECT_FALSE(scheduler_.submit_if_present(kName, [](Stream&) {}));
}

TEST_F(SchedulerTest, AnExceptionOfAFunctionReachesItsCallback) {
  std::promise<Outcome<int>> outcome;
  scheduler_.submit(kName, model_with(0, {}),
                    Callback<int>([&](Outcome<int> failed) { outcome.set_value(std::move(failed)); }),
                    [](Stream&) { reject(404, "absent"); });
  const auto failed = outcome.get_future().get();
  ASSERT_TRUE(std::holds_alternative<AppError>(failed));
  EXPECT_EQ(http_status(std::get<AppError>(failed)), 404);
}

}  // namespace
}  // namespace stad::server
