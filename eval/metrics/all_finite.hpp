#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace stad {

inline bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace stad
