#include "corruption/image.hpp"

#include <algorithm>
#include <cmath>

namespace stad::corruption {
namespace {

// Keeps float32 rounding from losing a level: 51 / 255 * 255 may be slightly below 51.
constexpr float kRounding = 1.0F / 1024;

}  // namespace

Image image_from(std::span<const float> row, const ImageShape& shape) {
  Image image(static_cast<std::size_t>(shape.channels), Plane(shape.height, shape.width));
  for (auto& plane : image) {
    std::copy_n(row.begin(), plane.values.size(), plane.values.begin());
    row = row.subspan(plane.values.size());
  }
  return image;
}

void store(const Image& image, std::span<float> row) {
  for (const auto& plane : image) {
    std::ranges::transform(plane.values, row.begin(), level_below);
    row = row.subspan(plane.values.size());
  }
}

float level_below(float value) { return std::floor(std::clamp(value, 0.0F, 1.0F) * 255 + kRounding) / 255; }

float nearest_level(float value) { return std::floor(std::clamp(value, 0.0F, 1.0F) * 255 + 0.5F) / 255; }

Plane transposed(const Plane& plane) {
  Plane result(plane.width, plane.height);
  for (Index y = 0; y < plane.height; ++y)
    for (Index x = 0; x < plane.width; ++x) result(x, y) = plane(y, x);
  return result;
}

void for_each_value(Image& image, const std::function<float(float)>& change) {
  for (auto& plane : image)
    for (float& value : plane.values) value = change(value);
}

}  // namespace stad::corruption
