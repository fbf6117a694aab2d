#include "data/feature_rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace stad {

namespace {

/// Magnitudes order like their bits, and NaN comes after all of them: a loop of integers, which vectorises.
bool all_sound(std::span<const float> values) {
  std::uint32_t largest = 0;
  for (const float x : values) largest = std::max(largest, std::bit_cast<std::uint32_t>(x) & 0x7fffffffU);
  return largest <= std::bit_cast<std::uint32_t>(kLargestValue);
}

}  // namespace

std::optional<BrokenValue> find_broken_value(MatrixView values) {
  if (values.stride == values.cols && all_sound({values.data, static_cast<std::size_t>(values.rows * values.cols)}))
    return std::nullopt;
  for (Index r = 0; r < values.rows; ++r) {
    const auto row = values.row(r);
    if (all_sound(row)) continue;
    for (Index c = 0; c < values.cols; ++c)
      if (!(std::abs(row[c]) <= kLargestValue)) return BrokenValue{r, c, row[c]};
  }
  return std::nullopt;
}

}  // namespace stad
