#include "io/image_file.hpp"

#include <stad/files.hpp>

#include <array>

#include <fmt/core.h>

#include "base/try.hpp"
#include "io/array.hpp"
#include "io/format.hpp"
#include "io/image_layout.hpp"
#include "io/npz.hpp"
#include "io/number.hpp"
#include "io/shown.hpp"
#include "io/stream_fields.hpp"

namespace stad {
namespace {

constexpr std::array<std::string_view, 2> kImages{"images", "x"};
constexpr std::array<std::string_view, 2> kLabels{"labels", "y"};
constexpr std::array<std::string_view, 2> kTime{"time", "year"};

template <typename T>
float pixel_value(T value) {
  if constexpr (std::same_as<T, std::uint8_t>) return static_cast<float>(value) / 255.0F;
  return static_cast<float>(value);
}

/// One image, its channels one after the other.
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

/// float32 images that lie as a network takes them are rows already.
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
  if (format_of(file.bytes) != Format::kNpz) return invalid("is no npz archive, images must be in one");
  STAD_ASSIGN(const auto npz, Npz::open(file.bytes));
  STAD_ASSIGN(const auto array, read_pixels(npz));
  STAD_ASSIGN(const auto layout, image_layout(array));
  STAD_ASSIGN(auto pixels, pixels_of(array, layout));
  STAD_TRY(read_fields(npz, {array.name, kLabels, kTime}, pixels));
  return ImageStream{layout.shape, std::move(pixels)};
}

Result<ImageStream> read_images(const std::string& path) {
  STAD_ASSIGN(const auto file, read_file(path));
  auto images = decode_images(file);
  if (!images) return within(file_name(path), images.error());
  images->pixels.name = file_name(path);
  return images;
}

}  // namespace stad
