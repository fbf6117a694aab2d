#include "io/array.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "base/try.hpp"
#include "io/numbers.hpp"
#include "io/text.hpp"

namespace stad {
namespace {

std::size_t element_count(const Array& array) { return array.data.size() / array.type.size; }

Error broken_value(const Array& array, std::size_t i, double value, std::string_view rule) {
  return invalid(fmt::format("{}[{}] is {}, {}", array.name, i, value, rule));
}

bool is_cache_aligned(const std::byte* address) {
  return reinterpret_cast<std::uintptr_t>(address) % static_cast<std::size_t>(CacheLineAllocator<float>::kAlignment) ==
         0;
}

Status check_vector_of_numbers(const Array& array) {
  STAD_TRY(check_dimensions(array, 1));
  return check_numbers(array.name, array.type);
}

template <typename Number>
Status fill_matrix(Matrix& matrix, const Array& array, Number number) {
  const Index row_step = array.fortran_order ? 1 : matrix.cols();
  const Index column_step = array.fortran_order ? matrix.rows() : 1;
  for (Index r = 0; r < matrix.rows(); ++r)
    for (Index c = 0; c < matrix.cols(); ++c) {
      const auto value = number(static_cast<std::size_t>(r * row_step + c * column_step));
      if (!fits_float(value))
        return invalid(fmt::format("{} row {} column {} is {}, too large for float32", array.name, r, c, value));
      matrix(r, c) = static_cast<float>(value);
    }
  return {};
}

Result<std::string> name_at(const Array& array, std::size_t i) {
  const Bytes element = array.data.subspan(i * array.type.size, array.type.size);
  auto name = array.type.kind == 'U' ? utf32_to_utf8(element, array.type.big_endian) : trimmed_utf8(element);
  if (!name) return invalid(fmt::format("{}[{}] is not valid Unicode text", array.name, i));
  return *std::move(name);
}

}  // namespace

Result<Array> make_array(std::string name, const NpyHeader& header, std::uint64_t found) {
  auto type = parse_element_type(header.type);
  if (!type) return invalid(fmt::format("{} {}", name, type.error().message));
  const auto expected = data_size(*type, header.shape);
  if (!expected) return invalid(fmt::format("{} {}", name, expected.error().message));
  if (*expected != found)
    return invalid(fmt::format("{} of type {} and shape ({}) needs {} bytes of data, found {}", name, header.type,
                               fmt::join(header.shape, ", "), *expected, found));
  return Array{std::move(name), *type, header.shape, header.fortran_order, {}, {}};
}

Result<Array> decode_npy(std::string name, Bytes file, std::shared_ptr<const void> storage) {
  STAD_ASSIGN(const auto header, parse_npy_header(file));
  const Bytes data = file.subspan(header.data_offset);
  STAD_ASSIGN(auto array, make_array(std::move(name), header, data.size()));
  array.data = data;
  array.storage = std::move(storage);
  return array;
}

Status check_dimensions(const Array& array, std::size_t dimensions) {
  if (array.shape.size() == dimensions) return {};
  return invalid(fmt::format("{} has {} dimensions, must have {}", array.name, array.shape.size(), dimensions));
}

Result<StoredRows> to_rows(const Array& array) {
  STAD_TRY(check_dimensions(array, 2));
  if (array.type == ElementType{} && !array.fortran_order && is_cache_aligned(array.data.data())) {
    const auto* const first = reinterpret_cast<const float*>(array.data.data());
    return StoredRows{{first, array.shape[0], array.shape[1]}, array.storage};
  }
  STAD_ASSIGN(auto matrix, to_matrix(array));
  auto owned = std::make_shared<const Matrix>(std::move(matrix));
  return StoredRows{owned->view(), owned};
}

Result<Matrix> to_matrix(const Array& array) {
  STAD_TRY(check_dimensions(array, 2));
  STAD_TRY(check_numbers(array.name, array.type));
  if (array.data.empty()) return Matrix(array.shape[0], array.shape[1]);
  Matrix matrix(array.shape[0], array.shape[1]);
  STAD_TRY(visit_numbers(array.data, array.type, [&](auto number) { return fill_matrix(matrix, array, number); }));
  return matrix;
}

Result<std::vector<float>> to_floats(const Array& array) {
  STAD_TRY(check_vector_of_numbers(array));
  std::vector<float> values(element_count(array));
  STAD_TRY(visit_numbers(array.data, array.type, [&](auto number) -> Status {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto value = number(i);
      if (!fits_float(value)) return broken_value(array, i, static_cast<double>(value), "too large for float32");
      values[i] = static_cast<float>(value);
    }
    return {};
  }));
  return values;
}

Result<std::vector<double>> to_doubles(const Array& array) {
  STAD_TRY(check_vector_of_numbers(array));
  std::vector<double> values(element_count(array));
  STAD_TRY(visit_numbers(array.data, array.type, [&](auto number) -> Status {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(number(i));
    return {};
  }));
  return values;
}

Result<std::vector<std::int64_t>> to_integers(const Array& array) {
  STAD_TRY(check_vector_of_numbers(array));
  std::vector<std::int64_t> values(element_count(array));
  STAD_TRY(visit_numbers(array.data, array.type, [&](auto number) -> Status {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto value = number(i);
      if (!fits_integer(value))
        return broken_value(array, i, static_cast<double>(value), "must be an integer of at most 64 bits");
      values[i] = static_cast<std::int64_t>(+value);  // + promotes int8_t, which is a character type
    }
    return {};
  }));
  return values;
}

Result<std::vector<std::string>> to_names(const Array& array) {
  STAD_TRY(check_dimensions(array, 1));
  std::vector<std::string> names;
  if (array.type.is_integer()) {
    STAD_ASSIGN(const auto integers, to_integers(array));
    for (const auto integer : integers) names.push_back(std::to_string(integer));
    return names;
  }
  if (array.type.is_number())
    return invalid(fmt::format("{} has type {}, must be text or integers", array.name, element_type_text(array.type)));
  for (std::size_t i = 0; i < element_count(array); ++i) {
    STAD_ASSIGN(names.emplace_back(), name_at(array, i));
  }
  return names;
}

}  // namespace stad
