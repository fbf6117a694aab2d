#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace stad {

using Bytes = std::span<const std::byte>;

// All formats are little-endian and are read and written without conversion. A port to a big-endian machine changes
// this header alone.
static_assert(std::endian::native == std::endian::little);

inline std::string_view as_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
inline Bytes as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

template <typename T>
Bytes as_bytes(const T* values, std::size_t count) {
  return std::as_bytes(std::span(values, count));
}

/// Loads a value from an address of any alignment.
template <typename T>
T load(const std::byte* from) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T>
void append(std::string& to, T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  to.append(bytes, sizeof value);
}

}  // namespace stad
