#pragma once

#include "base/random.hpp"
#include "corruption/image.hpp"

namespace stad::corruption {

/// A random piece of a window with ice flowers, in bluish white, or grey where there is one channel.
Image frost_crop(Index channels, Index height, Index width, Random& random);

}  // namespace stad::corruption
