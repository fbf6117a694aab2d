#pragma once

#include "corruption/image.hpp"

namespace stad::corruption {

/// Encodes the image as a JPEG of this quality (1 to 100) and decodes it again. Sides of at most 65500 pixels.
Image jpeg_round_trip(const Image& image, int quality);

}  // namespace stad::corruption
