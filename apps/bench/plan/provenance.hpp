#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <stad/backbone.hpp>

namespace stad::cli::bench {

/// Processor and operating system in one line.
const std::string& machine_name();

/// Hash of the executable and of libstad. A stored result is reused only if the same build made it, whatever the
/// version number is.
std::string program_fingerprint();
/// Hash of the torch component that the network came from.
std::string component_fingerprint(const Backbone& network);

/// Hash of the content of a file.
std::uint64_t file_fingerprint(const std::string& path);

/// A 64-bit hash of everything added, to tell contents apart. Processes eight bytes at a time, because streams are
/// large. Not cryptographic.
class ContentHash {
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
    value_ ^= value_ >> 29;  // the product alone does not mix high bits into low ones
  }

  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace stad::cli::bench
