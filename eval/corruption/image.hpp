#pragma once

#include <functional>
#include <span>
#include <vector>

#include <stad/streams.hpp>

namespace stad::corruption {

/// One channel of an image while it is worked on.
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

/// One or three channels of one size.
using Image = std::vector<Plane>;

Image image_from(std::span<const float> row, const ImageShape& shape);

/// Cut off to [0, 1] and to whole steps of 1/255.
void store(const Image& image, std::span<float> row);

/// A value as an 8-bit file holds it: the level at or below it, as the published set was made, or the nearest level, as
/// image programs round.
float level_below(float value);
float nearest_level(float value);

/// Rows for columns: what works along rows then works along columns.
Plane transposed(const Plane& plane);

/// Calls change for every value.
void for_each_value(Image& image, const std::function<float(float)>& change);

}  // namespace stad::corruption
