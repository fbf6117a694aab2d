#include "images.hpp"

#include <fmt/format.h>

namespace stad::python {
namespace {

bool is_uint8(const py::array& array) { return array.dtype().kind() == 'u' && array.itemsize() == 1; }

std::string described(const py::array& array) {
  return fmt::format("has type {} and shape {}", text_of(array.dtype()), text_of(array.attr("shape")));
}

/// Integers of other sizes are rejected, because their scale is unknown.
void check_type(const py::array& array, const char* name) {
  if (is_uint8(array) || array.dtype().kind() == 'f') return;
  throw py::value_error(fmt::format("{}: has values of type {}, must be uint8, which is scaled by 1/255, or floats",
                                    name, text_of(array.dtype())));
}

/// N x C x H x W.
py::array channels_first(const py::array& array, const char* name) {
  check_type(array, name);
  if (array.ndim() != 3 && array.ndim() != 4)
    throw py::value_error(
        fmt::format("{}: {}, must be uint8 of N x H x W x C, floats of N x C x H x W, or N x H x W of either", name,
                    described(array)));
  if (array.ndim() == 3) return array.attr("reshape")(array.shape(0), 1, array.shape(1), array.shape(2));
  return is_uint8(array) ? py::array(array.attr("transpose")(0, 3, 1, 2)) : array;
}

py::array as_floats(const py::array& array, const char* name) {
  const py::array floats =
      converted_by_numpy([&]() -> py::array { return array.attr("astype")("float32", py::arg("copy") = false); }, name,
                         "cannot be converted to floats");
  return is_uint8(array) ? py::array(floats / py::dtype("float32").attr("type")(255)) : floats;
}

}  // namespace

ImageShape shape_of(const py::handle& object) {
  const auto extents = integers_of(object, "shape");
  if (extents.size() != 3)
    throw py::value_error(
        fmt::format("shape: has {} values, must have 3: channels, height and width of an image", extents.size()));
  return {extents[0], extents[1], extents[2]};
}

py::tuple shape_tuple(const ImageShape& shape) { return py::make_tuple(shape.channels, shape.height, shape.width); }

std::string shape_text(const ImageShape& shape) {
  return fmt::format("{} x {} x {} (channels x height x width)", shape.channels, shape.height, shape.width);
}

ImageRows images_of(const py::handle& object, const char* name) {
  const py::array images = channels_first(array_of(object, name), name);
  const ImageShape shape{images.shape(1), images.shape(2), images.shape(3)};
  return {rows_of(as_floats(images, name).attr("reshape")(images.shape(0), shape.size()), name), shape};
}

Rows image_rows_of(const py::handle& object, const ImageShape& shape, const char* name) {
  const py::array array = array_of(object, name);
  if (array.ndim() == 2 && !is_uint8(array)) {
    check_type(array, name);
    return rows_of(array, name);
  }
  auto [rows, found] = images_of(array, name);
  if (found == shape) return rows;
  throw py::value_error(fmt::format(
      "{}: {}, images of {}, must be of {}; {}", name, described(array), shape_text(found), shape_text(shape),
      is_uint8(array) ? "uint8 has its channels last" : "floats have their channels first"));
}

}  // namespace stad::python
