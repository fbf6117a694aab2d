#pragma once

#include "speed/synthetic_stream.hpp"

namespace stad::speed {

/// What this machine needs for the least that a batch asks of it, in float32 on threads() threads; or on one, where
/// sharing out takes longer than it saves.
struct MachineLimits {
  double products_ms = 0;  ///< H W^T (N x D x K) and R^T H (K x N x D)
  double pass_ms = 0;      ///< W h
};

MachineLimits measure_limits(const Shape& shape);

}  // namespace stad::speed
