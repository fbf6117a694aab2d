#pragma once

#include <functional>
#include <span>
#include <vector>

#include <stad/streams.hpp>

namespace stad::corruption {

/// One channel of an image, row by row.
struct Plane {
  Index height = 0;
  Index width = 0;
  std::vector<float> values;

  Plane() = default;
  Plane(Index height_, Index width_)
      : height(height_), width(width_), values(static_cast<std::size_t>(height_ * width_)) {}

  float& operator()(Index y, Index x) { return values[static_cast<std::size_t>(y * width + x)]; }
  float operator()(Index y, Index x) const { return values[static_cast<std::size_t>(y * width + x)]; }
};

/// One or three channels of equal size.
using Image = std::vector<Plane>;

Image image_from(std::span<const float> row, const ImageShape& shape);

/// Writes the image to a row, clamped to [0, 1] and rounded down to multiples of 1/255.
void store(const Image& image, std::span<float> row);

/// Rounds a value to 8 bits: down, as the published set does, or to the nearest level, as image libraries do.
float level_below(float value);
float nearest_level(float value);

/// The transposed plane, so that a filter along rows applies along columns.
Plane transposed(const Plane& plane);

/// Replaces every value by change(value).
void for_each_value(Image& image, const std::function<float(float)>& change);

}  // namespace stad::corruption
