#pragma once

#include <pybind11/pybind11.h>

#include <stad/predictions.hpp>

namespace stad::python {

/// The quantities of a health record that were computed, by name.
pybind11::dict health_dict(const Health& health);

/// Adds the simulation of streams and the evaluation of adapters over streams.
void add_runs(pybind11::module_& module);

}  // namespace stad::python
