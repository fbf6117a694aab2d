#include "data/feature_rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace stad {

std::optional<BrokenValue> find_broken_value(MatrixView values) {
  for (Index r = 0; r < values.rows; ++r) {
    const auto row = values.row(r);
    // Magnitudes order like their bits, and NaN comes after all of them: a loop of integers, which vectorises.
    std::uint32_t largest = 0;
    for (const float x : row) largest = std::max(largest, std::bit_cast<std::uint32_t>(x) & 0x7fffffffU);
    if (largest <= std::bit_cast<std::uint32_t>(kLargestValue)) continue;
    for (Index c = 0; c < values.cols; ++c)
      if (!(std::abs(row[c]) <= kLargestValue)) return BrokenValue{r, c, row[c]};
  }
  return std::nullopt;
}

}  // namespace stad
