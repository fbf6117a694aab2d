#pragma once

#include <pybind11/pybind11.h>

namespace stad::python {

/// Recorded streams of features and of images.
void add_streams(pybind11::module_& module);

}  // namespace stad::python
