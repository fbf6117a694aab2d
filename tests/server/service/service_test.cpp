#include "server/service/service.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <stad/eval/simulate.hpp>
#include <stad/files.hpp>

namespace stad::server {
namespace {

constexpr Index kRows = 4;

const Simulation& simulation_of_tests() {
  static const Simulation simulation = need(simulate({.steps = 4, .seed = 5}));
  return simulation;
}

ModelSpecification named(const char* name) {
  ModelSpecification specification;
  specification.name = name;
  return specification;
}

MatrixView batch_of(Index number) { return simulation_of_tests().stream.features.rows_from(number * kRows, kRows); }

InferTask task_for(const std::string& stream, Index number, std::function<void(InferOutcome)> done) {
  InferTask task;
  task.request.stream = stream;
  const MatrixView rows = batch_of(number);
  task.request.features.resize(rows.rows, rows.cols);
  for (Index n = 0; n < rows.rows; ++n) std::ranges::copy(rows.row(n), task.request.features.row(n).begin());
  task.done = std::move(done);
  return task;
}

/// What an adapter by itself has learned from so many batches.
std::string expected_state(Index batches) {
  const auto adapter = need(make_adapter(simulation_of_tests().source, StadSafeOptions{}));
  for (Index i = 0; i < batches; ++i) need(adapter->adapt(batch_of(i)));
  return need(state_to_bytes(adapter->state()));
}

template <typename T>
struct Awaited {
  std::promise<Outcome<T>> promise;
  Callback<T> callback() {
    return [this](Outcome<T> outcome) { promise.set_value(std::move(outcome)); };
  }
  T get() {
    auto outcome = promise.get_future().get();
    if (const auto* failure = std::get_if<AppError>(&outcome)) throw *failure;
    return std::get<T>(std::move(outcome));
  }
};

std::string state_of(Service& service, const std::string& stream) {
  Awaited<std::string> awaited;
  service.stream_administration().state({"m", stream}, awaited.callback());
  return awaited.get();
}

class ServiceUnderLoad : public testing::TestWithParam<Durability> {
 protected:
  ServiceUnderLoad()
      : folder_(std::filesystem::temp_directory_path() / ("stad-service-" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~ServiceUnderLoad() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<Service> open() {
    ServiceSettings settings;
    settings.checkpoints.durability = GetParam();
    settings.checkpoints.interval = std::chrono::milliseconds(5);
    settings.checkpoints.memory = 100'000;  // a few streams
    auto service = std::make_unique<Service>(settings, need(Store::open((folder_ / "s.sqlite").string())), metrics_);
    service->model_administration().serve(need(ServedModel::create(named("m"), simulation_of_tests().source)));
    return service;
  }

  Metrics metrics_;
  std::filesystem::path folder_;
};

/// Streams are fed by threads of their own, looked at and kept by another, pushed out of memory by each other, and in
/// the end each has learned exactly what was sent to it.
TEST_P(ServiceUnderLoad, LearnsEveryBatchOnceAndInOrder) {
  constexpr int kFeeders = 4;
  constexpr int kStreams = 6;
  constexpr Index kBatches = 20;
  auto service = open();
  const ModelPointer model = service->models().find("m");
  std::atomic<bool> is_over{false};
  std::thread onlooker([&] {
    std::mt19937 random(1);
    while (!is_over) {
      const StreamName name{"m", fmt::format("{}-{}", random() % kFeeders, random() % kStreams)};
      Awaited<StreamReport> report;
      service->stream_administration().inspect(name, report.callback());
      Awaited<std::int64_t> snapshot;
      service->stream_administration().snapshot(name, "", snapshot.callback());
      try {
        report.get();
      } catch (const AppError&) {  // not begun yet
      }
      try {
        snapshot.get();
      } catch (const AppError&) {
      }
    }
  });
  std::vector<std::thread> feeders;
  for (int feeder = 0; feeder < kFeeders; ++feeder)
    feeders.emplace_back([&, feeder] {
      for (Index i = 0; i < kBatches; ++i)
        for (int stream = 0; stream < kStreams; ++stream) {
          std::promise<InferOutcome> answered;
          service->inference().infer(model,
                                     task_for(fmt::format("{}-{}", feeder, stream), i,
                                              [&](InferOutcome outcome) { answered.set_value(std::move(outcome)); }));
          EXPECT_TRUE(std::holds_alternative<InferResponse>(answered.get_future().get()));
        }
    });
  for (auto& feeder : feeders) feeder.join();
  is_over = true;
  onlooker.join();
  const std::string expected = expected_state(kBatches);
  for (int feeder = 0; feeder < kFeeders; ++feeder)
    for (int stream = 0; stream < kStreams; ++stream)
      EXPECT_EQ(state_of(*service, fmt::format("{}-{}", feeder, stream)), expected);
  service.reset();
  service = open();
  EXPECT_EQ(state_of(*service, "0-0"), expected) << "an orderly end keeps everything";
}

/// Requests of one stream that come from many threads are applied one after another.
TEST_P(ServiceUnderLoad, TakesTurnsOnOneStream) {
  auto service = open();
  const ModelPointer model = service->models().find("m");
  constexpr int kSenders = 4;
  constexpr int kEach = 50;
  std::atomic<int> answered{0};
  std::vector<std::thread> senders;
  for (int sender = 0; sender < kSenders; ++sender)
    senders.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) {
        std::promise<void> done;
        service->inference().infer(model, task_for("s", 0, [&](const InferOutcome&) {
                                     ++answered;
                                     done.set_value();
                                   }));
        done.get_future().wait();
      }
    });
  for (auto& sender : senders) sender.join();
  EXPECT_EQ(answered, kSenders * kEach);
  Awaited<StreamReport> report;
  service->stream_administration().inspect({"m", "s"}, report.callback());
  EXPECT_EQ(report.get().batches, kSenders * kEach);
}

TEST_P(ServiceUnderLoad, ModelsGoWhileTheyAreUsed) {
  auto service = open();
  const ModelPointer model = service->models().find("m");
  std::thread sender([&] {
    for (int i = 0; i < 100; ++i) {
      std::promise<void> done;
      try {
        service->inference().infer(model,
                                   task_for(std::to_string(i % 5), 0, [&](const InferOutcome&) { done.set_value(); }));
      } catch (const AppError&) {  // it is gone
        return;
      }
      done.get_future().wait();
    }
  });
  service->model_administration().remove("m");
  sender.join();
  EXPECT_THROW(service->models().find("m"), AppError);
  service.reset();
  EXPECT_EQ(*need(Store::open((folder_ / "s.sqlite").string()))->count_streams("m"), 0);
}

/// What comes after the end of a sequence does not find it on disk, where it is until it was removed.
TEST_P(ServiceUnderLoad, AStreamThatEndedBeginsAnewAtOnce) {
  auto service = open();
  const ModelPointer model = service->models().find("m");
  for (int round = 0; round < 20; ++round) {
    std::promise<InferOutcome> learned, ended, begun;
    const auto to = [](std::promise<InferOutcome>& promise) {
      return [&promise](InferOutcome outcome) { promise.set_value(std::move(outcome)); };
    };
    service->inference().infer(model, task_for("s", 0, to(learned)));
    EXPECT_TRUE(std::holds_alternative<InferResponse>(learned.get_future().get()));
    InferTask last = task_for("s", 1, to(ended));
    last.request.ends = true;
    service->inference().infer(model, std::move(last));
    service->inference().infer(model, task_for("s", 0, to(begun)));
    EXPECT_TRUE(std::holds_alternative<InferResponse>(ended.get_future().get()));
    EXPECT_TRUE(std::holds_alternative<InferResponse>(begun.get_future().get()));
    EXPECT_EQ(state_of(*service, "s"), expected_state(1)) << "round " << round;
    Awaited<Done> removed;
    service->stream_administration().remove({"m", "s"}, removed.callback());
    removed.get();
    EXPECT_THROW(state_of(*service, "s"), AppError);
  }
}

/// A request that was on its way when its model was removed leaves nothing behind: no stream, no figures, and nothing
/// in the way of another model of that name.
TEST_P(ServiceUnderLoad, LateRequestsLeaveNoTrace) {
  auto service = open();
  const auto answer = [&](const ModelPointer& model) {
    std::promise<InferOutcome> answered;
    service->inference().infer(model,
                               task_for("s", 0, [&](InferOutcome outcome) { answered.set_value(std::move(outcome)); }));
    return answered.get_future().get();
  };
  const ModelPointer removed = service->models().find("m");
  answer(removed);
  EXPECT_NE(metrics_.text().find("model=\"m\""), std::string::npos);
  service->model_administration().remove("m");

  EXPECT_THROW(answer(removed), AppError);
  EXPECT_EQ(metrics_.text().find("model=\"m\""), std::string::npos);

  service->model_administration().serve(need(ServedModel::create(named("m"), simulation_of_tests().source)));
  EXPECT_TRUE(std::holds_alternative<InferResponse>(answer(service->models().find("m"))));
  EXPECT_THROW(answer(removed), AppError);
  EXPECT_EQ(state_of(*service, "s"), expected_state(1));
}

/// The state of a method that has lost an option since is an error of its stream alone, until the stream is reset.
TEST_P(ServiceUnderLoad, AStateThatCannotBeContinuedIsAnErrorOfItsStreamAlone) {
  AdapterState former = need(make_adapter(simulation_of_tests().source, StadSafeOptions{}))->state();
  former.options.push_back({"unknown", "off", false});
  {
    const auto store = need(Store::open((folder_ / "s.sqlite").string()));
    store->save({"m", "old"},
                {.state = need(state_to_bytes(former)), .batches = 9, .rows = 36, .updated = 1, .answers = {}},
                [](const Status& status) { EXPECT_TRUE(status); });
    need(store->flush());
  }
  auto service = open();
  const ModelPointer model = service->models().find("m");
  const auto answer = [&](const char* stream) {
    std::promise<InferOutcome> answered;
    service->inference().infer(
        model, task_for(stream, 0, [&](InferOutcome outcome) { answered.set_value(std::move(outcome)); }));
    return answered.get_future().get();
  };
  const InferOutcome failure = answer("old");
  ASSERT_TRUE(std::holds_alternative<AppError>(failure));
  EXPECT_EQ(http_status(std::get<AppError>(failure)), 409);
  EXPECT_NE(std::get<AppError>(failure).error.message.find("was made with unknown = off"), std::string::npos);
  EXPECT_THROW(state_of(*service, "old"), AppError);
  EXPECT_TRUE(std::holds_alternative<InferResponse>(answer("new")));
  Awaited<Done> reset;
  service->stream_administration().reset({"m", "old"}, reset.callback());
  reset.get();
  EXPECT_TRUE(std::holds_alternative<InferResponse>(answer("old")));
}

TEST_P(ServiceUnderLoad, AModelThatCannotBeRestoredLeavesTheOthersServed) {
  const std::string path = (folder_ / "head.npz").string();
  need(write_source(path, simulation_of_tests().source));
  std::ifstream file(path, std::ios::binary);
  const std::string source{std::istreambuf_iterator<char>(file), {}};
  {
    const auto store = need(Store::open((folder_ / "s.sqlite").string()));
    for (const auto& [name, options] : {std::pair{"former", R"({"unknown":"on"})"}, std::pair{"other", "{}"}})
      store->save_model({name, fmt::format(R"({{"name":"{}","options":{}}})", name, options), source},
                        [](const Status& status) { EXPECT_TRUE(status); });
    need(store->flush());
  }
  auto service = open();
  service->model_administration().restore();
  EXPECT_TRUE(service->models().find_or_null("other"));
  EXPECT_FALSE(service->models().find_or_null("former"));
}

TEST(Metrics, HaveAWarningLevelWhereAStreamHasOne) {
  Metrics metrics;
  metrics.add_model("m");
  EXPECT_EQ(metrics.text().find("stad_warning_level"), std::string::npos);
  metrics.set_warning("m", Warning::kAct);
  EXPECT_NE(metrics.text().find("stad_warning_level{model=\"m\"} 2"), std::string::npos);
  metrics.set_warning("m", std::nullopt);
  EXPECT_EQ(metrics.text().find("stad_warning_level"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Every, ServiceUnderLoad,
                         testing::Values(Durability::kBatch, Durability::kInterval, Durability::kNone),
                         [](const auto& durability) { return std::string(name_of(durability.param)); });

}  // namespace
}  // namespace stad::server
