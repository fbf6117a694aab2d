#include "io/formats.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <stad/error.hpp>
#include <stad/files.hpp>
#include <stad/streams.hpp>

#include "base/try.hpp"
#include "io/array.hpp"
#include "io/npz.hpp"
#include "io/npz_fields.hpp"
#include "io/numbers.hpp"
#include "io/text.hpp"

namespace stad {
namespace {

/// Number and shape of the images in an array, and the stride of each axis in elements.
struct ImageLayout {
  static constexpr Index kMostChannels = 64;  ///< more indicate a wrong order of axes

  Index images = 0;
  ImageShape shape;
  Index image_step = 0;
  Index channel_step = 0;
  Index row_step = 0;
  Index column_step = 0;

  /// True if the elements have the order of an ImageStream: image, channel, row, column.
  bool is_flat() const;
};

bool holds_bytes(const Array& array) { return array.type.kind == 'u' && array.type.size == 1; }

Error unlike_images(const Array& array) {
  return invalid(fmt::format(
      "{} has type {} and shape ({}), must be uint8 of N x H x W or N x H x W x C, or floats of N x C x H x W",
      array.name, element_type_text(array.type), fmt::join(array.shape, ", ")));
}

Status check_axes(const Array& array) {
  const std::size_t axes = array.shape.size();
  const bool fits = holds_bytes(array) ? axes == 3 || axes == 4 : array.type.kind == 'f' && axes == 4;
  if (!fits) return unlike_images(array);
  if (std::ranges::find(array.shape, 0) == array.shape.end()) return {};
  return invalid(fmt::format("{} has shape ({}), must have no extent of 0", array.name, fmt::join(array.shape, ", ")));
}

Status check_channels(const Array& array, Index channels) {
  if (channels <= ImageLayout::kMostChannels) return {};
  return invalid(fmt::format("{} has type {} and shape ({}), which is {} channels, must be 1 to {}; {}", array.name,
                             element_type_text(array.type), fmt::join(array.shape, ", "), channels,
                             ImageLayout::kMostChannels,
                             holds_bytes(array) ? "uint8 has them last" : "floats have them first"));
}

/// The stride of each axis in elements.
std::vector<Index> steps_of(const Array& array) {
  std::vector<Index> steps(array.shape.size());
  Index step = 1;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::size_t axis = array.fortran_order ? i : steps.size() - 1 - i;
    steps[axis] = step;
    step *= array.shape[axis];
  }
  return steps;
}

bool ImageLayout::is_flat() const {
  return column_step == 1 && row_step == shape.width && channel_step == shape.height * shape.width &&
         image_step == shape.size();
}

/// uint8 images have their channels last or none, floats have them first. Everything else is rejected.
Result<ImageLayout> image_layout(const Array& array) {
  STAD_TRY(check_axes(array));
  const auto& extent = array.shape;
  const auto step = steps_of(array);
  ImageLayout layout;
  if (!holds_bytes(array)) {
    layout = {extent[0], {extent[1], extent[2], extent[3]}, step[0], step[1], step[2], step[3]};
  } else if (extent.size() == 4) {
    layout = {extent[0], {extent[3], extent[1], extent[2]}, step[0], step[3], step[1], step[2]};
  } else {
    layout = {extent[0], {1, extent[1], extent[2]}, step[0], extent[1] * extent[2], step[1], step[2]};
  }
  STAD_TRY(check_channels(array, layout.shape.channels));
  return layout;
}

constexpr std::array<std::string_view, 2> kImages{"images", "x"};
constexpr std::array<std::string_view, 2> kImageLabels{"labels", "y"};
constexpr std::array<std::string_view, 2> kImageTime{"time", "year"};

template <typename T>
float pixel_value(T value) {
  if constexpr (std::same_as<T, std::uint8_t>) return static_cast<float>(value) / 255.0F;
  return static_cast<float>(value);
}

/// Copies one image into a row, channel by channel.
template <typename Number>
Status fill_image(std::span<float> pixels, Index first, const ImageLayout& layout, Number number) {
  auto pixel = pixels.begin();
  for (Index channel = 0; channel < layout.shape.channels; ++channel)
    for (Index row = 0; row < layout.shape.height; ++row) {
      const Index start = first + channel * layout.channel_step + row * layout.row_step;
      for (Index column = 0; column < layout.shape.width; ++column) {
        const auto value = number(static_cast<std::size_t>(start + column * layout.column_step));
        if (!fits_float(value)) return invalid(fmt::format("{}, too large for float32", value));
        *pixel++ = pixel_value(value);
      }
    }
  return {};
}

Result<Matrix> gathered(const Array& array, const ImageLayout& layout) {
  Matrix pixels(layout.images, layout.shape.size());
  STAD_TRY(visit_numbers(array.data, array.type, [&](auto number) -> Status {
    for (Index i = 0; i < layout.images; ++i)
      if (const auto filled = fill_image(pixels.row(i), i * layout.image_step, layout, number); !filled)
        return invalid(fmt::format("{}[{}] has the value {}", array.name, i, filled.error().message));
    return {};
  }));
  return pixels;
}

/// float32 images in the order of an ImageStream are used in place; all others are copied.
Result<FeatureStream> pixels_of(const Array& array, const ImageLayout& layout) {
  if (array.type != ElementType{} || !layout.is_flat()) {
    STAD_ASSIGN(auto pixels, gathered(array, layout));
    return FeatureStream::from(std::move(pixels));
  }
  Array flat = array;
  flat.shape = {layout.images, layout.shape.size()};
  STAD_ASSIGN(auto rows, to_rows(flat));
  FeatureStream stream;
  stream.features = rows.view;
  stream.storage = std::move(rows.storage);
  return stream;
}

Result<Array> read_pixels(const Npz& npz) {
  STAD_ASSIGN(auto array, read_one_of(npz, kImages));
  if (array) return *std::move(array);
  return npz.require(kImages[0]);
}

}  // namespace

Result<ImageStream> decode_images(const FileBytes& file) {
  if (format_of(file.bytes) != Format::kNpz) return invalid("is not an npz archive, images must be in one");
  STAD_ASSIGN(const auto npz, Npz::open(file.bytes));
  STAD_ASSIGN(const auto array, read_pixels(npz));
  STAD_ASSIGN(const auto layout, image_layout(array));
  STAD_ASSIGN(auto pixels, pixels_of(array, layout));
  STAD_TRY(read_fields(npz, {array.name, kImageLabels, kImageTime}, pixels));
  return ImageStream{layout.shape, std::move(pixels)};
}

Result<ImageStream> read_images(const std::string& path) {
  STAD_ASSIGN(const auto file, read_file(path));
  auto images = decode_images(file);
  if (!images) return within(file_name(path), images.error());
  images->pixels.name = file_name(path);
  return images;
}

namespace {

Status check_images(const ImageStream& images) {
  const ImageShape& shape = images.shape;
  const FeatureStream& pixels = images.pixels;
  if (shape.channels < 1 || shape.height < 1 || shape.width < 1 || shape.size() != pixels.features.cols)
    return invalid(
        fmt::format("images have shape ({}, {}, {}) and rows of {} values, must have as many values as the shape",
                    shape.channels, shape.height, shape.width, pixels.features.cols));
  return check_fields(pixels, "images");
}

/// Appends one image with its channels last.
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

Result<std::vector<std::uint8_t>> pixel_bytes(const ImageStream& images) {
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
  const auto bytes = pixel_bytes(images);
  if (!bytes) return within(path, bytes.error());
  NpzWriter npz;
  npz.add("images", file_shape(images), *bytes);
  add_fields(npz, images.pixels);
  return write_npz(path, npz);
}

}  // namespace stad
