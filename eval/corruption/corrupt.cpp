#include <stad/eval/corruption.hpp>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/try.hpp"
#include "corruption/corruption.hpp"
#include "corruption/image.hpp"
#include "corruption/severity.hpp"

namespace stad {
namespace {

using corruption::kSeverities;

constexpr Index kShortestSide = 8;    // the blurs and the affine map need room
constexpr Index kLongestSide = 4096;  // libjpeg's limit is not far beyond

Status check_shape(const ImageShape& shape, Index columns) {
  const auto is_side = [](Index length) { return length >= kShortestSide && length <= kLongestSide; };
  if ((shape.channels != 1 && shape.channels != 3) || !is_side(shape.height) || !is_side(shape.width))
    return invalid(fmt::format("images have shape ({}, {}, {}), must have 1 or 3 channels and sides from {} to {}",
                               shape.channels, shape.height, shape.width, kShortestSide, kLongestSide));
  if (shape.size() == columns) return {};
  return invalid(fmt::format("images have shape ({}, {}, {}) and rows of {} values, must be as many", shape.channels,
                             shape.height, shape.width, columns));
}

Status check_values(MatrixView pixels) {
  for (Index i = 0; i < pixels.rows; ++i)
    for (const float value : pixels.row(i))
      if (!(value >= 0 && value <= 1))
        return invalid(fmt::format("images[{}] has the value {}, must be from 0 to 1", i, value));
  return {};
}

Status check_severity(int severity) {
  if (severity >= 1 && severity <= kSeverities) return {};
  return invalid(fmt::format("severity = {}, must be from 1 to {}", severity, kSeverities));
}

/// Numbers of its own for every image at every severity, in whichever order they are made. The mixing is SplitMix64's.
Random random_of(std::uint64_t seed, int severity, Index image) {
  std::uint64_t mixed = seed;
  for (const auto word : {static_cast<std::uint64_t>(severity), static_cast<std::uint64_t>(image)}) {
    mixed += 0x9e3779b97f4a7c15 * (word + 1);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    mixed ^= mixed >> 31;
  }
  return Random(mixed);
}

}  // namespace

Result<Matrix> corrupt(MatrixView pixels, const ImageShape& shape, std::string_view name, int severity,
                       std::uint64_t seed) {
  STAD_ASSIGN(const auto chosen, corruption::corruption_named(name));
  STAD_TRY(check_severity(severity));
  STAD_TRY(check_shape(shape, pixels.cols));
  STAD_TRY(check_values(pixels));
  Matrix corrupted(pixels.rows, pixels.cols);
  parallel_for(pixels.rows, [&](Index i) {
    auto random = random_of(seed, severity, i);
    auto image = corruption::image_from(pixels.row(i), shape);
    chosen.apply(image, severity, random);
    corruption::store(image, corrupted.row(i));
  });
  return corrupted;
}

}  // namespace stad
