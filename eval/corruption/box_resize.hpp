#pragma once

#include "corruption/image.hpp"

namespace stad::corruption {

/// Every new pixel is the mean of the old ones whose centres it covers, or the old one that covers its centre; to
/// 8 bits.
Plane box_resized(const Plane& plane, Index height, Index width);

}  // namespace stad::corruption
