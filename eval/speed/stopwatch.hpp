#pragma once

#include <chrono>

namespace stad::speed {

/// The one place of this room that reads the clock. Beside the pipeline, which times a run, this is the only room that
/// does: time is its subject.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace stad::speed
