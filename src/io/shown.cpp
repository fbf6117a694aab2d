#include "io/shown.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "io/unicode.hpp"

namespace stad {

std::string printable(std::string_view text) {
  const bool is_unicode = utf8_to_utf32(text).has_value();
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || (byte > 0x7f && !is_unicode)) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  return fmt::format("'{}{}'", printable(text.substr(0, kLongest)), text.size() > kLongest ? "..." : "");
}

std::string listed(std::span<const std::string> names) {
  constexpr std::size_t kMost = 20;
  std::string result;
  for (const auto& name : names.first(std::min(kMost, names.size())))
    result += (result.empty() ? "" : ", ") + shown(name);
  return names.size() > kMost ? fmt::format("{}, ... ({} in all)", result, names.size()) : result;
}

Error within(std::string_view place, Error error) {
  error.message = fmt::format("{}: {}", place, error.message);
  return error;
}

}  // namespace stad
