#pragma once

#include <algorithm>
#include <cmath>

namespace stad {

/// A class whose total responsibility is below this has no evidence and keeps its parameters.
inline constexpr double kNoEvidence = 1e-12;

/// Lower bound of a proportion inside a logarithm, so that a class without samples can receive samples again.
inline constexpr double kLeastProportion = 1e-8;

inline double log_proportion(double proportion) { return std::log(std::max(proportion, kLeastProportion)); }

/// The same for an array of them.
template <typename Array>
auto log_proportions(const Array& proportions) {
  return proportions.max(kLeastProportion).log();
}

}  // namespace stad
