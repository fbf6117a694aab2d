#include "io/image_layout.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "base/try.hpp"

namespace stad {
namespace {

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

/// Elements from one to the next along each axis.
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

}  // namespace

bool ImageLayout::is_flat() const {
  return column_step == 1 && row_step == shape.width && channel_step == shape.height * shape.width &&
         image_step == shape.size();
}

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

}  // namespace stad
