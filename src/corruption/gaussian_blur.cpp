#include "corruption/gaussian_blur.hpp"

#include <cmath>

namespace stad::corruption {
namespace {

/// From -radius to radius, with sum 1.
std::vector<float> gaussian_weights(double deviation, Index radius) {
  std::vector<double> weights;
  double sum = 0;
  for (Index i = -radius; i <= radius; ++i) {
    const double distance = static_cast<double>(i) / deviation;
    sum += weights.emplace_back(std::exp(-distance * distance / 2));
  }
  std::vector<float> normalised;
  for (const double weight : weights) normalised.push_back(static_cast<float>(weight / sum));
  return normalised;
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
  const auto radius = static_cast<Index>(truncate * deviation + 0.5);
  if (radius == 0) return plane;
  const auto weights = gaussian_weights(deviation, radius);
  return transposed(blur_rows(transposed(blur_rows(plane, weights, border)), weights, border));
}

}  // namespace stad::corruption
