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

/// What is running, how much is left, and the best figure so far.
class Board {
 public:
  Board(Index runs, bool wanted) : bar_("bench", wanted), runs_(runs) {}

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
    const double seconds = watch_.seconds();
    std::string left;
    if (done_ > 0)
      left = fmt::format(", {:.0f} s left", seconds * static_cast<double>(runs_ - done_) / static_cast<double>(done_));
    bar_.show(done_, runs_, fmt::format("{} of {} runs{}{}; {}", done_, runs_, left, best_text_, running_));
  }

  std::mutex mutex_;
  ProgressBar bar_;
  Stopwatch watch_;
  Index runs_;
  Index done_ = 0;
  double best_ = 0;
  std::string best_text_;
  std::string running_;
};

/// Distinct runs, and which planned runs each stands for: experiments share many, such as the source model's.
using Shared = std::map<std::string, std::vector<std::size_t>>;

class Runner {
 public:
  Runner(const Plan& plan, const RunStore& store, bool show_progress, const InterruptionWatch& watch)
      : plan_(plan), store_(store), watch_(watch), outcome_{std::vector<RunRecord>(plan.runs.size()), {}} {
    for (std::size_t i = 0; i < plan.runs.size(); ++i) shared_[plan.runs[i].key].push_back(i);
    for (std::size_t i = 0; i < plan.runs.size(); ++i)
      if (shared_[plan.runs[i].key].front() == i) take_or_queue(i);
    board_.emplace(static_cast<Index>(together_.size() + alone_.size()), show_progress);
  }

  Outcome work(int threads) {
    work_through(together_, threads);
    work_through(alone_, 1);
    watch_.check();
    if (trouble_) std::rethrow_exception(trouble_);
    return std::move(outcome_);
  }

 private:
  void take_or_queue(std::size_t i) {
    if (auto found = store_.find(plan_.runs[i])) {
      ++outcome_.tally.reused;
      settle(i, *found);
      return;
    }
    (plan_.runs[i].experiment->alone ? alone_ : together_).push_back(i);
  }

  void settle(std::size_t i, const RunRecord& record) {
    for (const std::size_t same : shared_.at(plan_.runs[i].key)) outcome_.records[same] = record;
  }

  void work_through(const std::vector<std::size_t>& queue, int threads) {
    std::atomic<std::size_t> next = 0;
    const auto member = [&] {
      for (std::size_t at = next++; at < queue.size() && goes_on(); at = next++) run_one(queue[at]);
    };
    std::vector<std::jthread> others;
    try {
      const auto wanted = std::min(static_cast<std::size_t>(threads), queue.size());
      for (std::size_t t = 1; t < wanted; ++t) others.emplace_back(member);
    } catch (const std::system_error&) {
      // The machine gives no more threads: those that are there do the work.
    }
    member();
  }

  bool goes_on() const { return !watch_.interrupted() && !stopped_; }

  /// A full disk, say: the others end too, and the caller is told.
  void run_one(std::size_t i) {
    try {
      run_and_keep(i);
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      trouble_ = std::current_exception();
      stopped_ = true;
    }
  }

  void run_and_keep(std::size_t i) {
    const PlannedRun& run = plan_.runs[i];
    board_->begin(run);
    const RunRecord record = execute(run, most_generous_limit(i), [&] { return goes_on(); });
    if (record.failed && !goes_on()) return;
    if (!record.failed) store_.keep(run, record);
    {
      const std::scoped_lock lock(mutex_);
      ++outcome_.tally.run;
      outcome_.tally.failed += record.failed;
      settle(i, record);
    }
    board_->finish(run, record);
  }

  /// A run that several experiments share may take as long as any of them lets it.
  std::optional<double> most_generous_limit(std::size_t i) const {
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
  Shared shared_;
  std::vector<std::size_t> together_;
  std::vector<std::size_t> alone_;
  std::optional<Board> board_;
  std::mutex mutex_;
  Outcome outcome_;
  std::exception_ptr trouble_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace

Outcome run_all(const Plan& plan, const RunStore& store, int threads, bool show_progress,
                const InterruptionWatch& watch) {
  return Runner(plan, store, show_progress, watch).work(threads);
}

}  // namespace stad::cli::bench
