#pragma once

#include <bit>
#include <cstdint>

#include <stad/matrix.hpp>

namespace stad {

/// FNV-1a hash of shapes and values. Distinguishes heads; not cryptographic.
class Fingerprint {
 public:
  void add(MatrixView values) {
    add(static_cast<std::uint64_t>(values.rows));
    add(static_cast<std::uint64_t>(values.cols));
    for (Index r = 0; r < values.rows; ++r)
      for (const float x : values.row(r)) add(std::uint64_t{std::bit_cast<std::uint32_t>(x)});
  }

  std::uint64_t value() const { return hash_; }

 private:
  void add(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte, word >>= 8) hash_ = (hash_ ^ (word & 0xff)) * 0x100000001b3;
  }

  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace stad
