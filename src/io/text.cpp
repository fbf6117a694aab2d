#include "io/text.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/core.h>

#include "io/numbers.hpp"

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

namespace {

bool is_character(char32_t code) { return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff); }

char tail(char32_t code, int shift) { return static_cast<char>(0x80 | ((code >> shift) & 0x3F)); }

void append_utf8(std::string& text, char32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += {static_cast<char>(0xc0 | code >> 6), tail(code, 0)};
  } else if (code < 0x10000) {
    text += {static_cast<char>(0xe0 | code >> 12), tail(code, 6), tail(code, 0)};
  } else {
    text += {static_cast<char>(0xf0 | code >> 18), tail(code, 12), tail(code, 6), tail(code, 0)};
  }
}

/// Number of bytes of a character by its first byte; 0 for a byte that cannot be the first.
std::size_t utf8_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/// Removes one character from the front.
std::optional<char32_t> take_character(std::string_view& utf8) {
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(utf8[0]);
  const std::size_t length = utf8_length(first);
  if (length == 0 || length > utf8.size()) return std::nullopt;
  char32_t code = length == 1 ? first : first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    if ((byte & 0xc0) != 0x80) return std::nullopt;
    code = code << 6 | (byte & 0x3fU);
  }
  utf8.remove_prefix(length);
  if (!is_character(code) || code < kSmallest[length]) return std::nullopt;
  return code;
}

}  // namespace

std::optional<std::string> utf32_to_utf8(Bytes utf32, bool big_endian) {
  std::string text;
  std::size_t length = 0;  // up to the last character that is not NUL
  for (std::size_t i = 0; i + 4 <= utf32.size(); i += 4) {
    const char32_t code = load_number<std::uint32_t>(utf32.data() + i, big_endian);
    if (!is_character(code)) return std::nullopt;
    append_utf8(text, code);
    if (code != 0) length = text.size();
  }
  text.resize(length);
  return text;
}

std::optional<std::u32string> utf8_to_utf32(std::string_view utf8) {
  std::u32string text;
  while (!utf8.empty()) {
    const auto code = take_character(utf8);
    if (!code) return std::nullopt;
    text += *code;
  }
  return text;
}

std::optional<std::string> trimmed_utf8(Bytes utf8) {
  const auto text = as_text(utf8);
  const auto last = text.find_last_not_of('\0');
  std::string trimmed(text.substr(0, last == std::string_view::npos ? 0 : last + 1));
  if (!utf8_to_utf32(trimmed)) return std::nullopt;
  return trimmed;
}

}  // namespace stad
