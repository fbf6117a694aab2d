#include <stad/eval/corruption.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/try.hpp"
#include "corruption/corruption.hpp"
#include "corruption/image.hpp"

namespace stad {
namespace corruption {
namespace {

// In the order of the published set.
constexpr std::array kCorruptions{Corruption{"gaussian_noise", gaussian_noise},
                                  Corruption{"shot_noise", shot_noise},
                                  Corruption{"impulse_noise", impulse_noise},
                                  Corruption{"defocus_blur", defocus_blur},
                                  Corruption{"glass_blur", glass_blur},
                                  Corruption{"motion_blur", motion_blur},
                                  Corruption{"zoom_blur", zoom_blur},
                                  Corruption{"snow", snow},
                                  Corruption{"frost", frost},
                                  Corruption{"fog", fog},
                                  Corruption{"brightness", brightness},
                                  Corruption{"contrast", contrast},
                                  Corruption{"elastic_transform", elastic_transform},
                                  Corruption{"pixelate", pixelate},
                                  Corruption{"jpeg_compression", jpeg_compression}};

constexpr auto kCorruptionNames = [] {
  std::array<std::string_view, kCorruptions.size()> names;
  std::ranges::transform(kCorruptions, names.begin(), &Corruption::name);
  return names;
}();

}  // namespace

Result<Corruption> corruption_named(std::string_view name) {
  const auto found = std::ranges::find(kCorruptions, name, &Corruption::name);
  if (found != kCorruptions.end()) return *found;
  return invalid(fmt::format("corruption = {}, must be one of {}", name, fmt::join(kCorruptionNames, ", ")));
}

}  // namespace corruption

std::span<const std::string_view> corruptions() { return corruption::kCorruptionNames; }

namespace {

using corruption::kSeverities;

constexpr Index kShortestSide = 8;    // minimum for the blurs and the affine map
constexpr Index kLongestSide = 4096;  // below the limit of libjpeg, 65500

Status check_shape(const ImageShape& shape, Index columns) {
  const auto is_side = [](Index length) { return length >= kShortestSide && length <= kLongestSide; };
  if ((shape.channels != 1 && shape.channels != 3) || !is_side(shape.height) || !is_side(shape.width))
    return invalid(fmt::format("images have shape ({}, {}, {}), must have 1 or 3 channels and sides from {} to {}",
                               shape.channels, shape.height, shape.width, kShortestSide, kLongestSide));
  if (shape.size() == columns) return {};
  return invalid(
      fmt::format("images have shape ({}, {}, {}) and rows of {} values, must have as many values as the shape",
                  shape.channels, shape.height, shape.width, columns));
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

/// An independent generator for every image and severity, so that results do not depend on the order of images. Mixes
/// the seed as SplitMix64 does.
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

namespace {

constexpr Index kDefaultImages = 1000;

Result<Index> images_per_severity(Index available, std::optional<Index> requested) {
  const Index images = requested.value_or(std::min(available, kDefaultImages));
  if (images >= 1 && images <= available) return images;
  return invalid(fmt::format("images = {}, must be from 1 to {}, the number of images", images, available));
}

Status check_labels(const FeatureStream& clean) {
  if (!clean.has_labels() || std::ssize(clean.labels) == clean.features.rows) return {};
  return invalid(fmt::format("labels has {} values, images has {} rows, must have one for each row",
                             clean.labels.size(), clean.features.rows));
}

}  // namespace

Result<ImageStream> gradual_stream(const ImageStream& clean, std::string_view corruption,
                                   const GradualSettings& settings) {
  STAD_TRY(check_labels(clean.pixels));
  STAD_ASSIGN(const Index images, images_per_severity(clean.pixels.features.rows, settings.images));
  if (settings.severities.empty()) return invalid("severities is empty, must have at least 1");
  const MatrixView first = clean.pixels.features.rows_from(0, images);
  Matrix pixels(images * std::ssize(settings.severities), first.cols);
  FeatureStream fields;
  Index row = 0;
  for (const int severity : settings.severities) {
    STAD_ASSIGN(const auto corrupted, corrupt(first, clean.shape, corruption, severity, settings.seed));
    std::ranges::copy_n(corrupted.data(), corrupted.size(), pixels.row(row).data());
    fields.time.insert(fields.time.end(), static_cast<std::size_t>(images), severity);
    if (clean.pixels.has_labels())
      fields.labels.insert(fields.labels.end(), clean.pixels.labels.begin(), clean.pixels.labels.begin() + images);
    row += images;
  }
  ImageStream stream{clean.shape, FeatureStream::from(std::move(pixels))};
  stream.pixels.name = clean.pixels.name;
  stream.pixels.labels = std::move(fields.labels);
  stream.pixels.time = std::move(fields.time);
  return stream;
}

}  // namespace stad
