#pragma once

#include <chrono>
#include <vector>

#include "speed/synthetic_stream.hpp"

namespace stad::speed {

/// Seconds of the steady clock since construction. Only the modules speed and pipeline read the clock.
class SteadyTimer {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

/// Percentile of at least one value with linear interpolation; `share` is from 0 to 1.
double percentile(std::vector<double> values, double share);

/// Lower bounds of the time of a batch on this machine: the products that every method needs, in float32 on threads()
/// threads, or on one thread if that is faster.
struct MachineLimits {
  double products_ms = 0;  ///< H W^T (N x D x K) and R^T H (K x N x D)
  double pass_ms = 0;      ///< W h
};

MachineLimits measure_limits(const BatchShape& shape);

}  // namespace stad::speed
