#pragma once

#include "base/random.hpp"
#include "corruption/image.hpp"

namespace stad::corruption {

/// Ice as it grows on a window, from 0 where the glass is clear to 1: needles with needles at their sides, on a thin
/// uneven coat. The sides are equal and a power of two, and opposite edges meet.
Plane ice_flowers(Index side, Random& random);

}  // namespace stad::corruption
