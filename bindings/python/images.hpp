#pragma once

#include <string>

#include <stad/streams.hpp>

#include "arrays.hpp"

namespace stad::python {

/// From a Python sequence (channels, height, width).
ImageShape shape_of(const py::handle& object);
py::tuple shape_tuple(const ImageShape& shape);
/// channels x height x width
std::string shape_text(const ImageShape& shape);

/// Images as rows of C x H x W values, and their shape.
struct ImageRows {
  Rows rows;
  ImageShape shape;
};

/// The layout of image files: uint8 is N x H x W x C and scaled by 1/255; floats are N x C x H x W and not scaled. N x
/// H x W has one channel.
/// @param name of the argument in error messages
ImageRows images_of(const py::handle& object, const char* name);

/// The same for images of a given shape, which may also be flat floats, N x (C H W).
Rows image_rows_of(const py::handle& object, const ImageShape& shape, const char* name);

}  // namespace stad::python
