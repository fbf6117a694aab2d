#pragma once

#include <cstdint>
#include <vector>

#include <pybind11/numpy.h>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

namespace stad::python {

namespace py = pybind11;

/// Raises: ValueError for what the caller can mend, RuntimeError for what the machine did.
[[noreturn]] void raise(const Error& error);

template <typename T>
T need(Result<T> result) {
  if (!result) raise(result.error());
  return *std::move(result);
}
inline void need(const Status& status) {
  if (!status) raise(status.error());
}

/// Rows of a Python object: in place where they are float32 with values side by side, else a copy.
struct Rows {
  py::array owner;  ///< keeps them alive
  MatrixView view;
};

/// @param name of the argument, for messages
Rows rows_of(const py::handle& object, const char* name);
Matrix matrix_of(const py::handle& object, const char* name);
std::vector<float> floats_of(const py::handle& object, const char* name);
std::vector<std::int64_t> integers_of(const py::handle& object, const char* name);
std::vector<double> doubles_of(const py::handle& object, const char* name);

/// An array over memory that `owner` keeps alive; it cannot be written.
template <typename T>
py::array_t<T> view_of(const T* data, std::vector<py::ssize_t> shape, const py::handle& owner) {
  py::array_t<T> array(std::move(shape), data, owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

}  // namespace stad::python
