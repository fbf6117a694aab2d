#include "corruption/motion_blur.hpp"

#include <cmath>
#include <numbers>

#include "corruption/border.hpp"

namespace stad::corruption {
namespace {

struct Place {
  Index y = 0;
  Index x = 0;
  double weight = 0;
};

/// Where a pixel gathers its light.
std::vector<Place> trail(Index radius, double deviation, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  std::vector<Place> places;
  double sum = 0;
  for (Index i = 0; i <= 2 * radius; ++i) {
    const auto distance = static_cast<double>(i);
    const double weight = std::exp(-distance * distance / (2 * deviation * deviation));
    places.push_back({static_cast<Index>(std::ceil(distance * std::sin(angle) - 0.5)),
                      static_cast<Index>(std::ceil(distance * std::cos(angle) - 0.5)), weight});
    sum += weight;
  }
  for (auto& place : places) place.weight /= sum;
  return places;
}

}  // namespace

Plane motion_blur(const Plane& plane, Index radius, double deviation, double degrees) {
  const auto places = trail(radius, deviation, degrees);
  Plane result(plane.height, plane.width);
  for (Index y = 0; y < plane.height; ++y)
    for (Index x = 0; x < plane.width; ++x) {
      double sum = 0;
      for (const auto& place : places)
        sum += place.weight * static_cast<double>(plane(inside(y + place.y, plane.height, Border::kNearest),
                                                        inside(x + place.x, plane.width, Border::kNearest)));
      result(y, x) = nearest_level(static_cast<float>(sum));
    }
  return result;
}

}  // namespace stad::corruption
