#include "arrays.hpp"

#include <fmt/format.h>

namespace stad::python {
namespace {

bool has_numbers(const py::array& array) {
  const char kind = array.dtype().kind();
  return kind == 'f' || kind == 'i' || kind == 'u' || kind == 'b';
}

void check_dimensions(const py::array& array, py::ssize_t expected, const char* name, const char* hint) {
  if (!has_numbers(array))
    throw py::value_error(fmt::format("{}: has values of type {}, must be numbers", name, text_of(array.dtype())));
  if (array.ndim() != expected)
    throw py::value_error(
        fmt::format("{}: has {} dimension{}, must have {}", name, array.ndim(), array.ndim() == 1 ? "" : "s", hint));
}

template <typename T>
auto converted(const py::array& array, const char* name) {
  // py::array_t::ensure() would discard numpy's message.
  return converted_by_numpy(
      [&] { return py::array_t<T, py::array::c_style | py::array::forcecast>(array); }, name,
      std::is_integral_v<T> ? "cannot be converted to integers" : "cannot be converted to floats");
}

template <typename T>
std::vector<T> values_of(const py::handle& object, const char* name) {
  const py::array array = array_of(object, name);
  check_dimensions(array, 1, name, "1");
  if constexpr (std::is_integral_v<T>)
    if (array.dtype().kind() == 'f' && array.size() > 0)
      throw py::value_error(fmt::format("{}: has values of type {}, must be integers", name, text_of(array.dtype())));
  const auto values = converted<T>(array, name);
  return {values.data(), values.data() + values.size()};
}

/// Whether values within a row are contiguous and rows are a whole number of values apart.
bool usable_in_place(const py::array& array) {
  if (!py::isinstance<py::array_t<float>>(array)) return false;
  constexpr auto kSize = static_cast<py::ssize_t>(sizeof(float));
  const bool aligned = reinterpret_cast<std::uintptr_t>(array.data()) % sizeof(float) == 0;
  const bool contiguous = array.strides(1) == kSize || array.shape(1) <= 1;
  const bool rows =
      array.shape(0) <= 1 || (array.strides(0) >= array.shape(1) * kSize && array.strides(0) % kSize == 0);
  return aligned && contiguous && rows;
}

}  // namespace

void raise(const Error& error) {
  if (error.kind == ErrorKind::kInvalid) throw py::value_error(error.message);
  throw std::runtime_error(error.message);
}

std::string text_of(const py::handle& object) { return py::str(object).cast<std::string>(); }

py::array array_of(const py::handle& object, const char* name) {
  if (py::isinstance<py::array>(object)) return py::reinterpret_borrow<py::array>(object);
  const py::module_ numpy = py::module_::import("numpy");
  return converted_by_numpy(
      [&]() -> py::array {
        const bool exchange = py::hasattr(object, "__dlpack__") && !py::hasattr(object, "__array__");
        return numpy.attr(exchange ? "from_dlpack" : "asarray")(object);
      },
      name, "is not an array");
}

Rows rows_of(const py::handle& object, const char* name) {
  py::array array = array_of(object, name);
  check_dimensions(array, 2, name, "2: rows and columns; one row is reshape(1, -1)");
  if (!usable_in_place(array)) array = converted<float>(array, name);
  const Index rows = array.shape(0), cols = array.shape(1);
  const Index stride = rows > 1 ? array.strides(0) / static_cast<py::ssize_t>(sizeof(float)) : cols;
  const MatrixView view(static_cast<const float*>(array.data()), rows, cols, stride);
  return {std::move(array), view};
}

Matrix copied(const MatrixView& rows) {
  Matrix matrix(rows.rows, rows.cols);
  for (Index r = 0; r < matrix.rows(); ++r) {
    const auto row = rows.row(r);
    std::copy(row.begin(), row.end(), matrix.row(r).begin());
  }
  return matrix;
}

Matrix matrix_of(const py::handle& object, const char* name) { return copied(rows_of(object, name).view); }

std::vector<float> floats_of(const py::handle& object, const char* name) { return values_of<float>(object, name); }
std::vector<double> doubles_of(const py::handle& object, const char* name) { return values_of<double>(object, name); }
std::vector<std::int64_t> integers_of(const py::handle& object, const char* name) {
  return values_of<std::int64_t>(object, name);
}

py::array_t<float> owned(Matrix matrix) {
  auto* held = new Matrix(std::move(matrix));
  const py::capsule owner(held, [](void* memory) { delete static_cast<Matrix*>(memory); });
  return py::array_t<float>({held->rows(), held->cols()}, held->data(), owner);
}

}  // namespace stad::python
