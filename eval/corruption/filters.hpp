#pragma once

#include <algorithm>

#include <stad/matrix.hpp>

#include "corruption/image.hpp"

namespace stad::corruption {

/// Values beyond the edge of an image: the edge pixel repeated, the mirror image without the edge pixel, or the mirror
/// image with it. The published set uses all three, each as the image library it calls.
enum class Border { kNearest, kMirror, kReflect };

/// Maps a coordinate outside of [0, length) to the pixel inside that supplies its value.
inline Index inside(Index place, Index length, Border border) {
  if (place >= 0 && place < length) return place;
  if (border == Border::kNearest || length == 1) return std::clamp<Index>(place, 0, length - 1);
  const Index again = border == Border::kMirror ? 0 : 1;
  const Index period = 2 * length - 2 + 2 * again;
  const Index folded = ((place % period) + period) % period;
  return folded < length ? folded : period - again - folded;
}

/// Bilinear interpolation at a position between pixels.
float sample(const Plane& plane, double y, double x, Border border);

/// Enlarges the middle of the plane by a factor of at least 1 to the size of the plane.
Plane zoomed(const Plane& plane, double factor);

/// Resizes with a box filter: each new pixel is the mean of the old ones whose centres it covers, or the old one that
/// covers its centre, rounded to 8 bits.
Plane box_resized(const Plane& plane, Index height, Index width);

/// Gaussian blur. The standard deviation is in pixels; the kernel ends at `truncate` standard deviations.
Plane gaussian_blur(const Plane& plane, double deviation, double truncate, Border border);

/// Convolution with a disk, as of a lens out of focus. The edge of the disk is smoothed by a 3 x 3 Gaussian.
Plane disk_blur(const Plane& plane, double radius, double edge_deviation);

/// Convolution with half a Gaussian of 2 radius + 1 taps along one direction, as in ImageMagick, rounded to 8 bits.
Plane motion_blur(const Plane& plane, Index radius, double deviation, double degrees);

}  // namespace stad::corruption
