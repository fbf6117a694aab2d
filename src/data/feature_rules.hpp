#pragma once

#include <cmath>
#include <optional>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// Larger values would overflow float32 in an inner product of two rows (1e15 squared, times a few thousand).
inline constexpr float kLargestValue = 1e15F;
inline constexpr char kValueRule[] = "must be finite and at most 1e15 in magnitude";

/// Admits every unit in use, nanoseconds since 1970 included, and sums of gaps between such times do not overflow.
inline constexpr double kLatestTime = 1e290;
inline constexpr char kTimeRule[] = "must be finite and at most 1e290 in magnitude";

/// False for NaN as well.
inline bool is_time(double time) { return std::abs(time) <= kLatestTime; }

struct BrokenValue {
  Index row = 0;
  Index column = 0;
  float value = 0;
};

/// The first value that is NaN, infinite or beyond kLargestValue.
STAD_API std::optional<BrokenValue> find_broken_value(MatrixView values);

}  // namespace stad
