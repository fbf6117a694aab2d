#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <pybind11/numpy.h>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

namespace stad::python {

namespace py = pybind11;

/// Raises ValueError for invalid arguments and RuntimeError for other failures.
[[noreturn]] void raise(const Error& error);

/// The value of a result; raises its error.
template <typename T>
T need(Result<T> result) {
  if (!result) raise(result.error());
  return *std::move(result);
}
inline void need(const Status& status) {
  if (!status) raise(status.error());
}

/// Rows of a Python object: without a copy if they are float32 with contiguous values, otherwise converted.
struct Rows {
  py::array owner;  ///< keeps the rows alive
  MatrixView view;
};

std::string text_of(const py::handle& object);

/// Returns convert(), which calls numpy. An exception of numpy becomes ValueError with numpy's message and without the
/// traceback that what() appends; MemoryError and KeyboardInterrupt pass unchanged.
/// @param name of the argument in error messages
/// @param problem describes the failure in the error message
template <typename Convert>
auto converted_by_numpy(const Convert& convert, const char* name, const char* problem) {
  try {
    return convert();
  } catch (py::error_already_set& raised) {
    if (!raised.matches(PyExc_Exception) || raised.matches(PyExc_MemoryError)) throw;
    throw py::value_error(std::string(name) + ": " + problem + ": " + text_of(raised.value()));
  }
}

/// Anything numpy converts to an array: arrays, tensors of other libraries, nested lists.
/// @param name of the argument in error messages
py::array array_of(const py::handle& object, const char* name);
Rows rows_of(const py::handle& object, const char* name);
Matrix copied(const MatrixView& rows);
Matrix matrix_of(const py::handle& object, const char* name);
std::vector<float> floats_of(const py::handle& object, const char* name);
std::vector<std::int64_t> integers_of(const py::handle& object, const char* name);
std::vector<double> doubles_of(const py::handle& object, const char* name);

/// Makes the array read-only. Sets the flag directly, because calling setflags takes longer than a small batch.
template <typename T>
py::array_t<T> read_only(py::array_t<T> array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// Read-only array over memory that `owner` keeps alive.
template <typename T>
py::array_t<T> view_of(const T* data, std::vector<py::ssize_t> shape, const py::handle& owner) {
  return read_only(py::array_t<T>(std::move(shape), data, owner));
}

/// Array that owns the matrix.
py::array_t<float> owned(Matrix matrix);

}  // namespace stad::python
