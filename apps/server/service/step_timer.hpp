#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "server/service/scheduler.hpp"

namespace stad::server {

/// Measures a step and the requests that it answers, for the statistics of the model.
class StepTimer {
 public:
  using Clock = TaskPool::Clock;

  /// Since the construction or the start.
  Clock::duration elapsed() const { return Clock::now() - start_; }
  void start() { start_ = Clock::now(); }
  void end_step() { last_ = Clock::now(), infer_ = last_ - start_; }
  double seconds() const { return std::chrono::duration<double>(infer_).count(); }
  /// A request whose answer was written now.
  void add(const InferTask& task) {
    const auto now = Clock::now();
    answers_.push_back({task.request.features.rows(), {start_ - task.arrived, task.parsing, infer_, now - last_}});
    last_ = now;
  }

  /// Counts what was measured once the effect of the step is certain; nothing where there was no step.
  void count(InferenceStatistics& statistics) const {
    if (answers_.empty()) return;
    StepDurations step{.infer = infer_};
    std::int64_t rows = 0;
    for (const auto& answer : answers_) {
      statistics.count_answer(answer.rows, answer.durations);
      step.input += answer.durations.input;
      step.output += answer.durations.output;
      rows += answer.rows;
    }
    statistics.count_step(rows, step);
  }

 private:
  struct Answer {
    std::int64_t rows;
    StepDurations durations;
  };

  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;  ///< end of the step, then of the last answer
  Clock::duration infer_{0};
  std::vector<Answer> answers_;
};

}  // namespace stad::server
