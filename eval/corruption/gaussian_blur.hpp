#pragma once

#include "corruption/border.hpp"
#include "corruption/image.hpp"

namespace stad::corruption {

/// A Gaussian of this standard deviation in pixels, cut off `truncate` of them from its centre.
Plane gaussian_blur(const Plane& plane, double deviation, double truncate, Border border);

}  // namespace stad::corruption
