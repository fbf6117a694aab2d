#pragma once

#include <pybind11/pybind11.h>

namespace stad::python {

/// Adds recorded streams of features and of images, and functions that read them.
void add_streams(pybind11::module_& module);

}  // namespace stad::python
