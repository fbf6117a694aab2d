#pragma once

#include "base/random.hpp"
#include "corruption/image.hpp"

namespace stad::corruption {

/// Clouds by the diamond-square algorithm, from 0 to 1. The sides are equal and a power of two, and opposite edges
/// meet.
/// @param decay how much the detail shrinks from one scale to the next finer one, before it is squared
Plane plasma(Index side, double decay, Random& random);

}  // namespace stad::corruption
