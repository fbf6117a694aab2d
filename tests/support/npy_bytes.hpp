#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace stad::testing {

/// A version 1 npy file of little-endian float32 in C order, written independently of the library.
inline std::string npy_bytes(const std::vector<std::size_t>& shape, const std::vector<float>& values) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (const auto size : shape) header += std::to_string(size) + ", ";
  header += "), }";
  header.resize(117, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00\x76\x00", 10);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return bytes;
}

}  // namespace stad::testing
