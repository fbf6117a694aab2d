#pragma once

#include "base/random.hpp"
#include "corruption/image.hpp"

namespace stad::corruption {

/// Fractal noise in [0, 1] by the diamond-square algorithm, periodic in both axes. `side` must be a power of two.
/// @param decay the amplitude is divided by decay^2 from one scale to the next finer one
Plane plasma(Index side, double decay, Random& random);

/// Frost on a window, from 0 (clear) to 1: branching needles on a thin uneven coat, periodic in both axes. `side` must
/// be a power of two.
Plane ice_flowers(Index side, Random& random);

/// A random crop of one of five frost textures, bluish white, or grey for one channel.
Image frost_crop(Index channels, Index height, Index width, Random& random);

}  // namespace stad::corruption
