#pragma once

#include <pybind11/pybind11.h>

namespace stad::python {

/// Recorded streams: reading, simulating, and running an adapter along one.
void add_streams(pybind11::module_& module);

}  // namespace stad::python
