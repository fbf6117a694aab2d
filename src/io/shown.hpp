#pragma once

#include <algorithm>
#include <span>
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

/// What there is instead of what was asked for; the first of many.
inline std::string listed(std::span<const std::string> names) {
  constexpr std::size_t kMost = 20;
  std::string result;
  for (const auto& name : names.first(std::min(kMost, names.size())))
    result += (result.empty() ? "" : ", ") + shown(name);
  return names.size() > kMost ? fmt::format("{}, ... ({} in all)", result, names.size()) : result;
}

/// The same error, said of a place: a file, or an array in it.
inline Error within(std::string_view place, Error error) {
  error.message = fmt::format("{}: {}", place, error.message);
  return error;
}

}  // namespace stad
