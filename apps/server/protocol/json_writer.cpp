#include "server/protocol/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace stad::server {
namespace {

template <typename Number>
void append_number(std::string& out, Number number) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  out.append(text.data(), end);
}

void append_escaped(std::string& out, char character) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(character);
  if (character == '"' || character == '\\') {
    out += '\\';
    out += character;
  } else if (byte < 0x20) {
    out += "\\u00";
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  } else {
    out += character;
  }
}

}  // namespace

void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (const char character : text) append_escaped(out, character);
  out += '"';
}

void append_json(std::string& out, std::int64_t number) { append_number(out, number); }

void append_json(std::string& out, float number) {
  if (std::isfinite(number)) {
    append_number(out, number);
  } else {
    out += "null";
  }
}

}  // namespace stad::server
