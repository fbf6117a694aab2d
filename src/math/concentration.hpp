#pragma once

#include <algorithm>
#include <cmath>

#include <stad/matrix.hpp>

namespace stad {

inline constexpr double kLeastConcentration = 1e-2;
inline constexpr double kLargestConcentration = 1e6;

/// The kappa whose mean length A_D(kappa) is about r: Banerjee et al. 2005, within a few percent everywhere, which is
/// the estimate the paper uses. [vmf-concentration]
inline double estimate_concentration(double mean_length, Index dimension) {
  const double r = std::clamp(std::abs(mean_length), 0.0, 1 - 1e-9);
  const double kappa = (r * static_cast<double>(dimension) - r * r * r) / (1 - r * r);
  return std::clamp(kappa, kLeastConcentration, kLargestConcentration);
}

}  // namespace stad
