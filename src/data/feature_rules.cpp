#include "data/feature_rules.hpp"

#include <cmath>

namespace stad {

std::optional<BrokenValue> find_broken_value(MatrixView values) {
  for (Index r = 0; r < values.rows; ++r) {
    const auto row = values.row(r);
    bool sound = true;
    for (const float x : row) sound &= std::abs(x) <= kLargestValue;  // false for NaN too; the loop vectorises
    if (sound) continue;
    for (Index c = 0; c < values.cols; ++c)
      if (!(std::abs(row[c]) <= kLargestValue)) return BrokenValue{r, c, row[c]};
  }
  return std::nullopt;
}

}  // namespace stad
