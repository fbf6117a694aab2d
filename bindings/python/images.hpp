#pragma once

#include <string>

#include <stad/streams.hpp>

#include "arrays.hpp"

namespace stad::python {

/// (channels, height, width) of Python.
ImageShape shape_of(const py::handle& object);
py::tuple shape_tuple(const ImageShape& shape);
/// channels x height x width
std::string shape_text(const ImageShape& shape);

/// Images as rows, flat as a network takes them, and what was found in one.
struct ImageRows {
  Rows rows;
  ImageShape shape;
};

/// As in files of images: bytes have their channels last and become multiples of 1/255, floats have them first and are
/// taken as they are; one channel may be left out.
/// @param name of the argument, for messages
ImageRows images_of(const py::handle& object, const char* name);

/// The same for images of a known shape, which may also be flat floats already, N x (channels height width).
Rows image_rows_of(const py::handle& object, const ImageShape& shape, const char* name);

}  // namespace stad::python
