#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>

namespace stad::serving {

/// A number of occurrences and their total duration.
struct DurationStatistic {
  std::int64_t count = 0;
  std::int64_t ns = 0;

  void add(std::chrono::nanoseconds duration) {
    ++count;
    ns += duration.count();
  }
};

/// Durations of one request and of the step that answered it.
struct StepDurations {
  std::chrono::nanoseconds queue{0};   ///< from the parsed request to the step
  std::chrono::nanoseconds input{0};   ///< parsing
  std::chrono::nanoseconds infer{0};   ///< the step, which requests that are batched share
  std::chrono::nanoseconds output{0};  ///< writing the answer
};

/// Figures of a model, in the sense of the statistics extension of Triton.
struct InferenceFigures {
  struct Compute {
    DurationStatistic input, infer, output;
  };

  std::int64_t last_inference = 0;  ///< milliseconds since the epoch; 0: none
  std::int64_t inferences = 0;      ///< rows answered, without kept answers
  std::int64_t executions = 0;      ///< steps
  DurationStatistic success;        ///< whole requests
  DurationStatistic fail;
  DurationStatistic queue;
  Compute compute;  ///< of each request
  DurationStatistic cache_hit;
  DurationStatistic cache_miss;
  std::map<std::int64_t, Compute> batches;  ///< of each step, by its rows
};

/// Counts the requests of a model since it was loaded. Thread-safe; a call holds a lock for less than a microsecond.
class InferenceStatistics {
 public:
  using Duration = std::chrono::nanoseconds;

  void count_request(bool has_succeeded, Duration whole);
  /// A request that a step answered.
  void count_answer(std::int64_t rows, const StepDurations& durations);
  /// A step, after the requests that it answered. Sizes beyond the first 128 are counted and not listed.
  void count_step(std::int64_t rows, const StepDurations& durations);
  /// A lookup of a kept answer.
  void count_lookup(bool has_found, Duration duration);

  InferenceFigures figures() const;

 private:
  mutable std::mutex mutex_;
  InferenceFigures figures_;
};

}  // namespace stad::serving
