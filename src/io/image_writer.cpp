#include <stad/files.hpp>

#include <cmath>
#include <vector>

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/npz_writer.hpp"
#include "io/shown.hpp"
#include "io/stream_writer.hpp"

namespace stad {
namespace {

Status check_images(const ImageStream& images) {
  const ImageShape& shape = images.shape;
  const FeatureStream& pixels = images.pixels;
  if (shape.channels < 1 || shape.height < 1 || shape.width < 1 || shape.size() != pixels.features.cols)
    return invalid(fmt::format("images have shape ({}, {}, {}) and rows of {} values, must be as many", shape.channels,
                               shape.height, shape.width, pixels.features.cols));
  return check_fields(pixels, "images");
}

/// One image with its channels last.
Status append_bytes(std::vector<std::uint8_t>& bytes, std::span<const float> pixels, const ImageShape& shape) {
  const Index plane = shape.height * shape.width;
  for (Index place = 0; place < plane; ++place)
    for (Index channel = 0; channel < shape.channels; ++channel) {
      const float value = pixels[static_cast<std::size_t>(channel * plane + place)];
      if (!(value >= 0 && value <= 1)) return invalid(fmt::format("{}, must be from 0 to 1", value));
      bytes.push_back(static_cast<std::uint8_t>(std::floor(value * 255 + 0.5F)));
    }
  return {};
}

Result<std::vector<std::uint8_t>> bytes_of(const ImageStream& images) {
  const MatrixView rows = images.pixels.features;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(static_cast<std::size_t>(rows.rows * rows.cols));
  for (Index i = 0; i < rows.rows; ++i)
    if (const auto appended = append_bytes(bytes, rows.row(i), images.shape); !appended)
      return invalid(fmt::format("images[{}] has the value {}", i, appended.error().message));
  return bytes;
}

std::vector<Index> file_shape(const ImageStream& images) {
  std::vector<Index> shape{images.pixels.features.rows, images.shape.height, images.shape.width};
  if (images.shape.channels > 1) shape.push_back(images.shape.channels);
  return shape;
}

}  // namespace

Status write_images(const std::string& path, const ImageStream& images) {
  if (const auto checked = check_images(images); !checked) return within(path, checked.error());
  const auto bytes = bytes_of(images);
  if (!bytes) return within(path, bytes.error());
  NpzWriter npz;
  npz.add("images", file_shape(images), *bytes);
  add_fields(npz, images.pixels);
  return write_npz(path, npz);
}

}  // namespace stad
