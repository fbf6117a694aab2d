#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

#include "io/bytes.hpp"
#include "io/npy.hpp"
#include "io/numbers.hpp"

namespace stad {

/// An array in the encoding of its file. The number of bytes matches type and shape.
struct Array {
  std::string name;  ///< for messages, such as "weight"
  ElementType type;
  std::vector<Index> shape;
  bool fortran_order = false;
  Bytes data;
  std::shared_ptr<const void> storage;  ///< owner of the data
};

/// A view of rows and the owner of their memory.
struct StoredRows {
  MatrixView view;
  std::shared_ptr<const void> storage;
};

/// An array of this header without data. Fails if `found`, the number of bytes after the header, does not match.
Result<Array> make_array(std::string name, const NpyHeader& header, std::uint64_t found);

/// Decodes an npy file in memory.
Result<Array> decode_npy(std::string name, Bytes file, std::shared_ptr<const void> storage);

Status check_dimensions(const Array& array, std::size_t dimensions);

// Conversions from any number type. Fail on the first value that does not fit, with its position.

/// Two dimensions. A view of the data if it is float32 in row order and begins on a cache line; a copy otherwise,
/// because alignment determines the order of sums and so their last bits.
Result<StoredRows> to_rows(const Array& array);
Result<Matrix> to_matrix(const Array& array);

// One dimension.
Result<std::vector<float>> to_floats(const Array& array);
Result<std::vector<double>> to_doubles(const Array& array);
Result<std::vector<std::int64_t>> to_integers(const Array& array);  ///< floats must be integral
Result<std::vector<std::string>> to_names(const Array& array);      ///< UTF-8 text; integers become digits

}  // namespace stad
