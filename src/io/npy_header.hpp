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
inline constexpr std::size_t kNpyPrelude = 12;  ///< these bytes of a file tell where its data begins

/// What stands before the data of an npy file, of versions 1, 2 and 3. The type is kept as written: whether we can
/// read such elements is asked only of arrays somebody wants.
struct NpyHeader {
  std::string type;
  bool fortran_order = false;
  std::vector<Index> shape;     ///< none negative
  std::size_t data_offset = 0;  ///< where the data begins
};

/// Where the data begins, from the first kNpyPrelude bytes or the whole of a shorter file.
Result<std::size_t> npy_data_offset(Bytes start);

/// The header, from a file's first data_offset bytes or more.
Result<NpyHeader> parse_npy_header(Bytes start);

/// Version 1, little-endian or byte-sized type, C order, padded so that the data is aligned to a cache line.
std::string encode_npy_header(std::string_view type, std::span<const Index> shape);

}  // namespace stad
