#include "bench/run/run_all.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>

#include <fmt/format.h>

#include "bench/run/execute.hpp"
#include "common/error.hpp"
#include "common/progress.hpp"

namespace stad::cli::bench {
namespace {

std::string label_of(const PlannedRun& run) {
  return fmt::format("{}: {} on {}, {}", run.experiment->name, run.method->title, run.stream->name, run.setting->name);
}

/// The progress bar: the current run, the time left, and the best accuracy so far.
class ProgressDisplay {
 public:
  ProgressDisplay(Index runs, bool enabled) : bar_("bench", enabled), runs_(runs) {}

  void begin(const PlannedRun& run) {
    const std::scoped_lock lock(mutex_);
    running_ = label_of(run);
    show();
  }

  void finish(const PlannedRun& run, const RunRecord& record) {
    const std::scoped_lock lock(mutex_);
    ++done_;
    if (!record.failed && record.pooled > best_) {
      best_ = record.pooled;
      best_text_ = fmt::format("; best {:.1f} % ({} on {})", 100 * best_, run.method->title, run.stream->name);
    }
    show();
  }

 private:
  void show() {
    const double seconds = timer_.seconds();
    std::string left;
    if (done_ > 0)
      left = fmt::format(", {:.0f} s left", seconds * static_cast<double>(runs_ - done_) / static_cast<double>(done_));
    bar_.show(done_, runs_, fmt::format("{} of {} runs{}{}; {}", done_, runs_, left, best_text_, running_));
  }

  std::mutex mutex_;
  ProgressBar bar_;
  WallTimer timer_;
  Index runs_;
  Index done_ = 0;
  double best_ = 0;
  std::string best_text_;
  std::string running_;
};

/// The planned runs of every key: experiments share many runs, such as those of the source model.
using RunsByKey = std::map<std::string, std::vector<std::size_t>>;

class Runner {
 public:
  Runner(const Plan& plan, const RunStore& store, bool show_progress, const InterruptionWatch& watch)
      : plan_(plan), store_(store), watch_(watch), outcome_{std::vector<RunRecord>(plan.runs.size()), {}} {
    for (std::size_t i = 0; i < plan.runs.size(); ++i) shared_[plan.runs[i].key].push_back(i);
    for (std::size_t i = 0; i < plan.runs.size(); ++i)
      if (shared_[plan.runs[i].key].front() == i) reuse_or_queue(i);
    display_.emplace(static_cast<Index>(parallel_.size() + exclusive_.size()), show_progress);
  }

  Outcome run(int threads) {
    run_queue(parallel_, threads);
    run_queue(exclusive_, 1);
    watch_.check();
    if (error_) std::rethrow_exception(error_);
    return std::move(outcome_);
  }

 private:
  void reuse_or_queue(std::size_t i) {
    if (auto found = store_.find(plan_.runs[i])) {
      ++outcome_.counts.reused;
      set_records(i, *found);
      return;
    }
    (plan_.runs[i].experiment->alone ? exclusive_ : parallel_).push_back(i);
  }

  void set_records(std::size_t i, const RunRecord& record) {
    for (const std::size_t same : shared_.at(plan_.runs[i].key)) outcome_.records[same] = record;
  }

  void run_queue(const std::vector<std::size_t>& queue, int threads) {
    std::atomic<std::size_t> next = 0;
    const auto worker = [&] {
      for (std::size_t at = next++; at < queue.size() && should_continue(); at = next++) run_one(queue[at]);
    };
    std::vector<std::jthread> workers;
    try {
      const auto count = std::min(static_cast<std::size_t>(threads), queue.size());
      for (std::size_t t = 1; t < count; ++t) workers.emplace_back(worker);
    } catch (const std::system_error&) {
      // No more threads available: continue with those that were started.
    }
    worker();
  }

  bool should_continue() const { return !watch_.interrupted() && !stopped_; }

  /// An exception, such as for a full disk, stops all workers and is rethrown by run().
  void run_one(std::size_t i) {
    try {
      run_and_store(i);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      error_ = std::current_exception();
      stopped_ = true;
    }
  }

  void run_and_store(std::size_t i) {
    const PlannedRun& run = plan_.runs[i];
    display_->begin(run);
    const RunRecord record = execute(run, largest_time_limit(i), [&] { return should_continue(); });
    if (record.failed && !should_continue()) return;
    if (!record.failed) store_.keep(run, record);
    {
      const std::scoped_lock lock(mutex_);
      ++outcome_.counts.run;
      outcome_.counts.failed += record.failed;
      set_records(i, record);
    }
    display_->finish(run, record);
  }

  /// The largest time limit of the experiments that share the run.
  std::optional<double> largest_time_limit(std::size_t i) const {
    std::optional<double> limit = 0;
    for (const std::size_t same : shared_.at(plan_.runs[i].key)) {
      const auto& own = plan_.runs[same].experiment->time_limit;
      limit = own && limit ? std::optional(std::max(*own, *limit)) : std::nullopt;
    }
    return limit;
  }

  const Plan& plan_;
  const RunStore& store_;
  const InterruptionWatch& watch_;
  RunsByKey shared_;
  std::vector<std::size_t> parallel_;
  std::vector<std::size_t> exclusive_;
  std::optional<ProgressDisplay> display_;
  std::mutex mutex_;
  Outcome outcome_;
  std::exception_ptr error_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace

Outcome run_all(const Plan& plan, const RunStore& store, int threads, bool show_progress,
                const InterruptionWatch& watch) {
  return Runner(plan, store, show_progress, watch).run(threads);
}

}  // namespace stad::cli::bench
