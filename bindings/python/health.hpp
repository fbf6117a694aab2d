#pragma once

#include <pybind11/pybind11.h>

#include <stad/predictions.hpp>

namespace stad::python {

/// What is known, by name.
pybind11::dict health_dict(const Health& health);

}  // namespace stad::python
