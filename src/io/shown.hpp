#pragma once

#include <string>
#include <string_view>

#include <fmt/core.h>

#include <stad/error.hpp>

namespace stad {

/// Text of unknown origin as a message may show it: quoted, one line, no control characters, not endless.
inline std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string result = "'";
  for (const char c : text.substr(0, kLongest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + (text.size() > kLongest ? "...'" : "'");
}

/// The same error, said of a place: a file, or an array in it.
inline Error within(std::string_view place, Error error) {
  error.message = fmt::format("{}: {}", place, error.message);
  return error;
}

}  // namespace stad
