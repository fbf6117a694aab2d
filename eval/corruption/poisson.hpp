#pragma once

#include <stad/matrix.hpp>

#include "base/random.hpp"

namespace stad::corruption {

inline constexpr Index kLargestPoissonMean = 500;

/// A number of events whose mean is this, from 0 to kLargestPoissonMean. Costs about twice the square root of it.
Index poisson(double mean, Random& random);

}  // namespace stad::corruption
