#include "corruption/gaussian_blur.hpp"

#include <cmath>

namespace stad::corruption {
namespace {

/// From -radius to radius, with sum 1.
std::vector<float> gaussian_weights(double deviation, Index radius) {
  const auto weight = [&](Index i) {
    const double distance = static_cast<double>(i) / deviation;
    return std::exp(-distance * distance / 2);
  };
  double sum = 0;
  for (Index i = -radius; i <= radius; ++i) sum += weight(i);
  std::vector<float> weights(static_cast<std::size_t>(2 * radius + 1));
  for (Index i = -radius; i <= radius; ++i)
    weights[static_cast<std::size_t>(i + radius)] = static_cast<float>(weight(i) / sum);
  return weights;
}

Plane blur_rows(const Plane& plane, const std::vector<float>& weights, Border border) {
  const auto radius = static_cast<Index>(weights.size() / 2);
  Plane result(plane.height, plane.width);
  for (Index y = 0; y < plane.height; ++y)
    for (Index x = 0; x < plane.width; ++x)
      for (Index i = -radius; i <= radius; ++i)
        result(y, x) += weights[static_cast<std::size_t>(i + radius)] * plane(y, inside(x + i, plane.width, border));
  return result;
}

}  // namespace

Plane gaussian_blur(const Plane& plane, double deviation, double truncate, Border border) {
  const auto radius = static_cast<Index>(std::floor(truncate * deviation + 0.5));
  if (radius == 0) return plane;
  const auto weights = gaussian_weights(deviation, radius);
  return transposed(blur_rows(transposed(blur_rows(plane, weights, border)), weights, border));
}

}  // namespace stad::corruption
