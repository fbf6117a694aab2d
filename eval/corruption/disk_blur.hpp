#pragma once

#include "corruption/image.hpp"

namespace stad::corruption {

/// Every pixel spread over a disk, as a lens out of focus does; the disk's edge is smoothed by a Gaussian of 3 x 3
/// pixels.
Plane disk_blur(const Plane& plane, double radius, double edge_deviation);

}  // namespace stad::corruption
