// Durable saves per second; a save counts once it is on disk. Several writers each have one save in progress, as
// streams whose next answer waits for it, and share commits. The file is created in the current folder.

#include <filesystem>
#include <latch>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "require.hpp"
#include "serving/store/store.hpp"

namespace {

namespace fs = std::filesystem;
using namespace stad::serving;
using stad::Status;
using stad::benchmarks::require;

constexpr std::size_t kAnswers = 16;
constexpr std::size_t kAnswerLength = 4000;

/// A temporary database file.
struct Database {
  fs::path folder = fs::absolute("store-benchmark");
  std::unique_ptr<Store> store;

  Database() {
    fs::remove_all(folder);
    auto opened = Store::open(folder / "stad.db");
    require(opened.ok(), opened.ok() ? "" : opened.error().message);
    store = *std::move(opened);
  }
  ~Database() {
    store.reset();
    fs::remove_all(folder);
  }
};

std::string random_bytes(std::size_t length, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string bytes(length, '\0');
  for (std::size_t i = 0; i < length; ++i) bytes[i] = static_cast<char>(random() >> 56U);
  return bytes;
}

/// One stream; every save differs from the one before in all bytes and adds one answer.
class Writer {
 public:
  Writer(std::size_t index, std::size_t length) : name_{"model", "stream " + std::to_string(index)} {
    for (std::uint64_t version : {0, 1}) states_.push_back(random_bytes(length, 2 * index + version));
  }

  void save(Store& store, std::latch& done) {
    ++saved_;
    if (answers_.size() == kAnswers) answers_.erase(answers_.begin());
    answers_.push_back({.key = "request " + std::to_string(saved_),
                        .digest = saved_,
                        .json_length = -1,
                        .body = random_bytes(8, saved_) + std::string(kAnswerLength, 'a')});
    store.save(name_, present(), [&](const Status& status) {
      require(status.ok(), status.ok() ? "" : status.error().message);
      done.count_down();
    });
  }

  void require_saved(const Store& store) const {
    const auto loaded = store.load(name_);
    require(loaded.ok() && loaded->has_value(), "a stream that was saved is not there");
    const StreamRecord expected = present();
    const StreamRecord& found = **loaded;
    require(found.state == expected.state && found.batches == expected.batches && found.answers == expected.answers,
            "a stream is not what was saved");
  }

 private:
  StreamRecord present() const {
    return {.state = states_[saved_ % 2],
            .batches = static_cast<std::int64_t>(saved_),
            .rows = static_cast<std::int64_t>(saved_ * 64),
            .updated = 1.8e9 + 0.125 + static_cast<double>(saved_),
            .answers = answers_};
  }

  StreamName name_;
  std::vector<std::string> states_;
  std::vector<KeptAnswer> answers_;
  std::uint64_t saved_ = 0;
};

void save_all(std::vector<Writer>& writers, Store& store) {
  std::latch done(static_cast<std::ptrdiff_t>(writers.size()));
  for (Writer& writer : writers) writer.save(store, done);
  done.wait();
}

void durable_saves(benchmark::State& state) {
  const Database database;
  std::vector<Writer> writers;
  for (std::int64_t i = 0; i < state.range(1); ++i)
    writers.emplace_back(static_cast<std::size_t>(i), static_cast<std::size_t>(state.range(0)) * 1000);
  for (std::size_t round = 0; round < kAnswers + 2; ++round) {
    save_all(writers, *database.store);
    for (const Writer& writer : writers) writer.require_saved(*database.store);
  }
  for (auto unused : state) save_all(writers, *database.store);
  for (const Writer& writer : writers) writer.require_saved(*database.store);
  state.SetItemsProcessed(state.iterations() * state.range(1));
}
BENCHMARK(durable_saves)
    ->ArgNames({"KB", "writers"})
    ->ArgsProduct({{20, 80, 600}, {1, 8, 64}})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
