#pragma once

#include <algorithm>
#include <cmath>

namespace stad {

/// A class whose samples weigh less than this has heard from nobody.
inline constexpr double kNoEvidence = 1e-12;

/// log pi, floored so that a class without samples can come back.
inline double log_proportion(double proportion) {
  constexpr double kLeastProportion = 1e-8;
  return std::log(std::max(proportion, kLeastProportion));
}

}  // namespace stad
