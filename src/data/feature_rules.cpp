#include "data/feature_rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace stad {
namespace {

/// Magnitudes of floats order like their bits, with NaN above all of them, so that an integer maximum, which
/// vectorises, decides.
bool all_valid(std::span<const float> values) {
  std::uint32_t largest = 0;
  for (const float x : values) largest = std::max(largest, std::bit_cast<std::uint32_t>(x) & 0x7fffffffU);
  return largest <= std::bit_cast<std::uint32_t>(kLargestValue);
}

}  // namespace

std::optional<BrokenValue> find_broken_value(MatrixView values) {
  if (values.stride == values.cols && all_valid({values.data, static_cast<std::size_t>(values.rows * values.cols)}))
    return std::nullopt;
  for (Index r = 0; r < values.rows; ++r) {
    const auto row = values.row(r);
    if (all_valid(row)) continue;
    for (Index c = 0; c < values.cols; ++c)
      if (!(std::abs(row[c]) <= kLargestValue)) return BrokenValue{r, c, row[c]};
  }
  return std::nullopt;
}

}  // namespace stad
