#include "corruption/disk_blur.hpp"

#include <cmath>

#include "corruption/border.hpp"

namespace stad::corruption {
namespace {

/// Odd sides, sum 1, with room for the smoothing.
Plane disk(double radius) {
  const auto half = static_cast<Index>(std::ceil(radius)) + 1;
  Plane kernel(2 * half + 1, 2 * half + 1);
  float sum = 0;
  for (Index y = -half; y <= half; ++y)
    for (Index x = -half; x <= half; ++x)
      if (static_cast<double>(y * y + x * x) <= radius * radius) sum += kernel(y + half, x + half) = 1;
  for (float& value : kernel.values) value /= sum;
  return kernel;
}

Plane gaussian_of_three(double deviation) {
  const double side = std::exp(-1 / (2 * deviation * deviation));
  const double weights[] = {side / (1 + 2 * side), 1 / (1 + 2 * side), side / (1 + 2 * side)};
  Plane kernel(3, 3);
  for (Index y = 0; y < 3; ++y)
    for (Index x = 0; x < 3; ++x) kernel(y, x) = static_cast<float>(weights[y] * weights[x]);
  return kernel;
}

Plane filtered(const Plane& plane, const Plane& kernel) {
  const Index half = kernel.height / 2;
  Plane result(plane.height, plane.width);
  for (Index v = -half; v <= half; ++v)
    for (Index u = -half; u <= half; ++u) {
      const float weight = kernel(v + half, u + half);
      if (weight == 0) continue;
      for (Index y = 0; y < plane.height; ++y)
        for (Index x = 0; x < plane.width; ++x)
          result(y, x) +=
              weight * plane(inside(y + v, plane.height, Border::kMirror), inside(x + u, plane.width, Border::kMirror));
    }
  return result;
}

}  // namespace

Plane disk_blur(const Plane& plane, double radius, double edge_deviation) {
  return filtered(plane, filtered(disk(radius), gaussian_of_three(edge_deviation)));
}

}  // namespace stad::corruption
