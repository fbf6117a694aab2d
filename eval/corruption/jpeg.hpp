#pragma once

#include "corruption/image.hpp"

namespace stad::corruption {

/// What is left of an image that was kept as a JPEG of this quality (1 to 100). Sides up to 65500.
Image jpeg_round_trip(const Image& image, int quality);

}  // namespace stad::corruption
