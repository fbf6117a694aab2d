#pragma once

#include <cstdint>
#include <string>
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

std::string text_of(const py::handle& object);

/// What view() makes of an array by numpy. Where numpy will not, the argument is wrong: ValueError with numpy's reason,
/// but without the lines of another library that what() adds. No memory, and Ctrl-C, remain what they are.
/// @param name of the argument, for messages
/// @param trouble what is wrong with it then
template <typename View>
auto seen_by_numpy(const View& view, const char* name, const char* trouble) {
  try {
    return view();
  } catch (py::error_already_set& raised) {
    if (!raised.matches(PyExc_Exception) || raised.matches(PyExc_MemoryError)) throw;
    throw py::value_error(std::string(name) + ": " + trouble + ": " + text_of(raised.value()));
  }
}

/// Whatever numpy can see as an array: its own, a tensor of another library, nested lists.
/// @param name of the argument, for messages
py::array array_of(const py::handle& object, const char* name);
Rows rows_of(const py::handle& object, const char* name);
Matrix copied(const MatrixView& rows);
Matrix matrix_of(const py::handle& object, const char* name);
std::vector<float> floats_of(const py::handle& object, const char* name);
std::vector<std::int64_t> integers_of(const py::handle& object, const char* name);
std::vector<double> doubles_of(const py::handle& object, const char* name);

/// The array, which cannot be written from now on. By its flag: a call of setflags takes longer than a small answer.
template <typename T>
py::array_t<T> locked(py::array_t<T> array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// An array over memory that `owner` keeps alive; it cannot be written.
template <typename T>
py::array_t<T> view_of(const T* data, std::vector<py::ssize_t> shape, const py::handle& owner) {
  return locked(py::array_t<T>(std::move(shape), data, owner));
}

/// An array that keeps the matrix.
py::array_t<float> owned(Matrix matrix);

}  // namespace stad::python
