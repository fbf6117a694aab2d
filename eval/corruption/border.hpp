#pragma once

#include <algorithm>

#include <stad/matrix.hpp>

namespace stad::corruption {

/// What lies beyond the edge of an image: its last pixel again and again, its mirror image without the last pixel, or
/// its mirror image with it. Image programs differ, and the published set follows each one.
enum class Border { kNearest, kMirror, kReflect };

/// The place inside [0, length) that stands for this one.
inline Index inside(Index place, Index length, Border border) {
  if (place >= 0 && place < length) return place;
  if (border == Border::kNearest || length == 1) return std::clamp<Index>(place, 0, length - 1);
  const Index again = border == Border::kMirror ? 0 : 1;
  const Index period = 2 * length - 2 + 2 * again;
  const Index folded = ((place % period) + period) % period;
  return folded < length ? folded : period - again - folded;
}

}  // namespace stad::corruption
