#pragma once

#include <stad/error.hpp>
#include <stad/streams.hpp>

#include "io/array.hpp"

namespace stad {

/// Where the values of images lie in an array: how many there are, and the elements from one to the next along each
/// axis.
struct ImageLayout {
  static constexpr Index kMostChannels = 64;  ///< far beyond any camera; more is a mistaken order of axes

  Index images = 0;
  ImageShape shape;
  Index image_step = 0;
  Index channel_step = 0;
  Index row_step = 0;
  Index column_step = 0;

  /// As ImageStream holds them, one image after the other.
  bool is_flat() const;
};

/// Bytes have their channels last or none, floats have them first. All else is refused.
Result<ImageLayout> image_layout(const Array& array);

}  // namespace stad
