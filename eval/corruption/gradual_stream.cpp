#include <stad/eval/corruption.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "base/try.hpp"

namespace stad {
namespace {

constexpr Index kUsualImages = 1000;

Result<Index> images_a_severity(Index there, std::optional<Index> wanted) {
  const Index images = wanted.value_or(std::min(there, kUsualImages));
  if (images >= 1 && images <= there) return images;
  return invalid(fmt::format("images = {}, must be from 1 to the {} there are", images, there));
}

Status check_labels(const FeatureStream& clean) {
  if (!clean.has_labels() || std::ssize(clean.labels) == clean.features.rows) return {};
  return invalid(fmt::format("labels has {} values, images has {} rows, must be as many", clean.labels.size(),
                             clean.features.rows));
}

}  // namespace

Result<ImageStream> gradual_stream(const ImageStream& clean, std::string_view corruption,
                                   const GradualSettings& settings) {
  STAD_TRY(check_labels(clean.pixels));
  STAD_ASSIGN(const Index images, images_a_severity(clean.pixels.features.rows, settings.images));
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
