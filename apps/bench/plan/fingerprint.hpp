#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace stad::cli::bench {

/// A number for all that is added, to tell contents apart. Multiplies and folds eight bytes at a time, because streams
/// are large; not for keeping secrets.
class Fingerprint {
 public:
  void add(std::span<const std::byte> bytes) {
    mix(bytes.size());
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      word = (word << 8) | std::to_integer<std::uint64_t>(bytes[i]);
      if (i % 8 == 7 || i + 1 == bytes.size()) mix(std::exchange(word, 0));
    }
  }

  std::uint64_t value() const { return value_; }

 private:
  void mix(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x100000001b3;
    value_ ^= value_ >> 29;  // the product alone never carries high bits down
  }

  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace stad::cli::bench
