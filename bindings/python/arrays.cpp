#include "arrays.hpp"

#include <fmt/format.h>

namespace stad::python {
namespace {

/// Whatever numpy can see as an array: its own, a tensor of another library, nested lists.
py::array to_array(const py::handle& object, const char* name) {
  if (py::isinstance<py::array>(object)) return py::reinterpret_borrow<py::array>(object);
  static const py::module_ numpy = py::module_::import("numpy");
  try {
    const bool exchange = py::hasattr(object, "__dlpack__") && !py::hasattr(object, "__array__");
    return numpy.attr(exchange ? "from_dlpack" : "asarray")(object);
  } catch (py::error_already_set& trouble) {
    throw py::value_error(fmt::format("{}: is no array: {}", name, trouble.what()));
  }
}

bool has_numbers(const py::array& array) {
  const char kind = array.dtype().kind();
  return kind == 'f' || kind == 'i' || kind == 'u' || kind == 'b';
}

void check_dimensions(const py::array& array, py::ssize_t wanted, const char* name, const char* hint) {
  if (!has_numbers(array))
    throw py::value_error(
        fmt::format("{}: has values of type {}, must be numbers", name, py::str(array.dtype()).cast<std::string>()));
  if (array.ndim() != wanted)
    throw py::value_error(
        fmt::format("{}: has {} dimension{}, must have {}", name, array.ndim(), array.ndim() == 1 ? "" : "s", hint));
}

template <typename T>
std::vector<T> values_of(const py::handle& object, const char* name) {
  const py::array array = to_array(object, name);
  check_dimensions(array, 1, name, "1");
  if constexpr (std::is_integral_v<T>)
    if (array.dtype().kind() == 'f' && array.size() > 0)
      throw py::value_error(
          fmt::format("{}: has values of type {}, must be integers", name, py::str(array.dtype()).cast<std::string>()));
  const auto values = py::array_t<T, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!values) throw py::error_already_set();
  return {values.data(), values.data() + values.size()};
}

/// Values side by side, rows at a fixed distance that is a whole number of values.
bool usable_in_place(const py::array& array) {
  if (!py::isinstance<py::array_t<float>>(array)) return false;
  constexpr auto kSize = static_cast<py::ssize_t>(sizeof(float));
  const bool aligned = reinterpret_cast<std::uintptr_t>(array.data()) % sizeof(float) == 0;
  const bool side_by_side = array.strides(1) == kSize || array.shape(1) <= 1;
  const bool rows =
      array.shape(0) <= 1 || (array.strides(0) >= array.shape(1) * kSize && array.strides(0) % kSize == 0);
  return aligned && side_by_side && rows;
}

}  // namespace

void raise(const Error& error) {
  if (error.kind == ErrorKind::kInvalid) throw py::value_error(error.message);
  throw std::runtime_error(error.message);
}

Rows rows_of(const py::handle& object, const char* name) {
  py::array array = to_array(object, name);
  check_dimensions(array, 2, name, "2: rows and columns; one row is reshape(1, -1)");
  if (!usable_in_place(array)) {
    array = py::array_t<float, py::array::c_style | py::array::forcecast>::ensure(array);
    if (!array) throw py::error_already_set();
  }
  const Index rows = array.shape(0), cols = array.shape(1);
  const Index stride = rows > 1 ? array.strides(0) / static_cast<py::ssize_t>(sizeof(float)) : cols;
  const MatrixView view(static_cast<const float*>(array.data()), rows, cols, stride);
  return {std::move(array), view};
}

Matrix matrix_of(const py::handle& object, const char* name) {
  const Rows rows = rows_of(object, name);
  Matrix matrix(rows.view.rows, rows.view.cols);
  for (Index r = 0; r < matrix.rows(); ++r) {
    const auto row = rows.view.row(r);
    std::copy(row.begin(), row.end(), matrix.row(r).begin());
  }
  return matrix;
}

std::vector<float> floats_of(const py::handle& object, const char* name) { return values_of<float>(object, name); }
std::vector<double> doubles_of(const py::handle& object, const char* name) { return values_of<double>(object, name); }
std::vector<std::int64_t> integers_of(const py::handle& object, const char* name) {
  return values_of<std::int64_t>(object, name);
}

}  // namespace stad::python
