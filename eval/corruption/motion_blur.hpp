#pragma once

#include "corruption/image.hpp"

namespace stad::corruption {

/// Every pixel smeared in one direction, ever more faintly: half a Gaussian over 2 radius + 1 places, as ImageMagick
/// does it, to 8 bits.
Plane motion_blur(const Plane& plane, Index radius, double deviation, double degrees);

}  // namespace stad::corruption
