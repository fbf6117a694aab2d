#pragma once

#include <algorithm>
#include <cmath>

namespace stad {

/// A class whose samples weigh less than this has heard from nobody.
inline constexpr double kNoEvidence = 1e-12;

/// Floors a proportion inside a logarithm, so that a class without samples can come back.
inline constexpr double kLeastProportion = 1e-8;

inline double log_proportion(double proportion) { return std::log(std::max(proportion, kLeastProportion)); }

/// The same for an array of them.
template <typename Array>
auto log_proportions(const Array& proportions) {
  return proportions.max(kLeastProportion).log();
}

}  // namespace stad
