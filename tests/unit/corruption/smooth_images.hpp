#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include <stad/matrix.hpp>
#include <stad/streams.hpp>

#include "base/random.hpp"

namespace stad::corruption {

inline constexpr ImageShape kColourShape{3, 32, 32};

/// Waves and a disk in each channel, with values from 0.1 to 0.9: smooth regions and one edge.
inline Matrix smooth_images(Index count, const ImageShape& shape, std::uint64_t seed = 1) {
  Random random(seed);
  Matrix images(count, shape.size());
  for (Index i = 0; i < count; ++i)
    for (Index channel = 0; channel < shape.channels; ++channel) {
      const double down = 1 + 2 * random.uniform();
      const double right = 1 + 2 * random.uniform();
      const double phase = 2 * std::numbers::pi * random.uniform();
      for (Index y = 0; y < shape.height; ++y)
        for (Index x = 0; x < shape.width; ++x) {
          const double v = static_cast<double>(y) / static_cast<double>(shape.height) - 0.5;
          const double u = static_cast<double>(x) / static_cast<double>(shape.width) - 0.5;
          const double disk = v * v + u * u < 0.1 ? 0.2 : -0.2;
          const double wave = 0.2 * std::sin(2 * std::numbers::pi * (down * v + right * u) + phase);
          images(i, (channel * shape.height + y) * shape.width + x) = static_cast<float>(0.5 + disk + wave);
        }
    }
  return images;
}

inline Matrix constant_images(Index count, const ImageShape& shape, float value) {
  Matrix images(count, shape.size());
  std::fill_n(images.data(), images.size(), value);
  return images;
}

inline double mean_of(const Matrix& images) {
  double sum = 0;
  for (Index i = 0; i < images.size(); ++i) sum += static_cast<double>(images.data()[i]);
  return sum / static_cast<double>(images.size());
}

inline double mean_squared_difference(const Matrix& a, const Matrix& b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += std::pow(static_cast<double>(a.data()[i] - b.data()[i]), 2);
  return sum / static_cast<double>(a.size());
}

/// The value rounded down to 8 bits, bit-identical to the result of the library.
inline float level(double value) {
  return static_cast<float>(std::floor(std::fmin(std::fmax(value, 0), 1) * 255 + 1e-3)) / 255;
}

}  // namespace stad::corruption
