#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

#include "io/bytes.hpp"
#include "io/element_type.hpp"
#include "io/npy_header.hpp"

namespace stad {

/// An array as a file holds it: type, shape and the bytes of its elements, which are exactly as many as both say.
struct Array {
  std::string name;  ///< for messages, such as "weight"
  ElementType type;
  std::vector<Index> shape;
  bool fortran_order = false;
  Bytes data;
  std::shared_ptr<const void> storage;  ///< keeps the data in memory
};

/// Rows to read in place, and what keeps them in memory.
struct StoredRows {
  MatrixView view;
  std::shared_ptr<const void> storage;
};

/// An array of this header; `found` is the number of bytes that follow it.
Result<Array> make_array(std::string name, const NpyHeader& header, std::uint64_t found);

/// An npy file in memory.
Result<Array> decode_npy(std::string name, Bytes file, std::shared_ptr<const void> storage);

Status check_dimensions(const Array& array, std::size_t dimensions);

// Conversions. Numbers of any type become what is asked for; where a value cannot, the error names its place.

/// Two dimensions. In place where the data is float32 already, row after row, and starts on a cache line; a copy
/// otherwise, since alignment decides the last bits of sums.
Result<StoredRows> to_rows(const Array& array);
Result<Matrix> to_matrix(const Array& array);

// One dimension.
Result<std::vector<float>> to_floats(const Array& array);
Result<std::vector<double>> to_doubles(const Array& array);
Result<std::vector<std::int64_t>> to_integers(const Array& array);  ///< floats too, where integral
Result<std::vector<std::string>> to_names(const Array& array);      ///< text as UTF-8; integers as digits

}  // namespace stad
