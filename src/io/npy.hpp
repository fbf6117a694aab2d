#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <stad/error.hpp>
#include <stad/matrix.hpp>

#include "io/bytes.hpp"

namespace stad {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
inline constexpr std::size_t kNpyPrelude = 12;  ///< number of leading bytes that determine the data offset

/// Header of an npy file of version 1, 2 or 3. The type stays text: make_array() parses it, so that an archive may hold
/// arrays of unsupported types that are never read.
struct NpyHeader {
  std::string type;  ///< as written, such as "<f4"
  bool fortran_order = false;
  std::vector<Index> shape;     ///< none negative
  std::size_t data_offset = 0;  ///< byte offset of the first element
};

/// Byte offset of the data, given the first kNpyPrelude bytes or the whole of a shorter file.
Result<std::size_t> npy_data_offset(Bytes start);

/// Parses the header, given at least the first data_offset bytes of a file.
Result<NpyHeader> parse_npy_header(Bytes start);

/// Header of version 1 in C order, padded to a multiple of 64 bytes so that the data begins on a cache line. The type
/// must be little-endian or one byte wide.
std::string encode_npy_header(std::string_view type, std::span<const Index> shape);

}  // namespace stad
