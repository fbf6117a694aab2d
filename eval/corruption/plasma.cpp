#include "corruption/plasma.hpp"

#include <algorithm>

namespace stad::corruption {
namespace {

/// Fills one scale after the other, each between the points of the one before.
class Clouds {
 public:
  Clouds(Index side, Random& random) : random_(random), heights_(side, side) {}

  void refine(Index step, float roughness) {
    const Index half = step / 2;
    const Index side = heights_.height;
    for (Index y = half; y < side; y += step)
      for (Index x = half; x < side; x += step)
        heights_(y, x) =
            mean(y - half, x - half, y - half, x + half, y + half, x - half, y + half, x + half) + shift(roughness);
    for (Index y = 0; y < side; y += half)
      for (Index x = (y + half) % step; x < side; x += step)
        heights_(y, x) = mean(y - half, x, y + half, x, y, x - half, y, x + half) + shift(roughness);
  }

  /// Stretched to the range from 0 to 1.
  Plane finished() && {
    const auto [least, most] = std::ranges::minmax(heights_.values);
    for (float& value : heights_.values) value = (value - least) / (most - least);
    return std::move(heights_);
  }

 private:
  float at(Index y, Index x) const {
    const Index side = heights_.height;
    return heights_((y + side) % side, (x + side) % side);
  }
  float mean(Index y0, Index x0, Index y1, Index x1, Index y2, Index x2, Index y3, Index x3) const {
    return (at(y0, x0) + at(y1, x1) + at(y2, x2) + at(y3, x3)) / 4;
  }
  float shift(float roughness) { return roughness * static_cast<float>(2 * random_.uniform() - 1); }

  Random& random_;
  Plane heights_;
};

}  // namespace

Plane plasma(Index side, double decay, Random& random) {
  Clouds clouds(side, random);
  double roughness = 1;
  for (Index step = side; step >= 2; step /= 2, roughness /= decay * decay)
    clouds.refine(step, static_cast<float>(roughness));
  return std::move(clouds).finished();
}

}  // namespace stad::corruption
