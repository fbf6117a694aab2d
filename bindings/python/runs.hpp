#pragma once

#include <pybind11/pybind11.h>

namespace stad::python {

/// Simulating streams, and running an adapter along one.
void add_runs(pybind11::module_& module);

}  // namespace stad::python
