#pragma once

#include "corruption/border.hpp"
#include "corruption/image.hpp"

namespace stad::corruption {

/// The value at a place between pixels, bilinear.
float sample(const Plane& plane, double y, double x, Border border);

/// The middle of the plane, enlarged by a factor of at least 1 until it fills the plane again.
Plane zoomed(const Plane& plane, double factor);

}  // namespace stad::corruption
