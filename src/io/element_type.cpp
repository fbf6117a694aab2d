#include "io/element_type.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "io/shown.hpp"

namespace stad {
namespace {

constexpr std::size_t kLargestText = std::size_t{1} << 24;  // bytes of one class name; far beyond any

bool is_supported(char kind, std::size_t size) {
  switch (kind) {
    case 'f':
      return size == 2 || size == 4 || size == 8;
    case 'i':
    case 'u':
      return size == 1 || size == 2 || size == 4 || size == 8;
    case 'b':
      return size == 1;
    case 'S':
    case 'U':
      return size >= 1 && size <= kLargestText;
    default:
      return false;
  }
}

Error unsupported(std::string_view text) {
  return invalid(fmt::format("has type {}, which is not supported: must be numbers or text", shown(text)));
}

}  // namespace

Result<ElementType> parse_element_type(std::string_view text) {
  const auto whole = text;
  ElementType type;
  if (!text.empty() && std::string_view("<>|=").find(text[0]) != std::string_view::npos) {
    type.big_endian = text[0] == '>';
    text.remove_prefix(1);
  }
  if (text.starts_with('O'))
    return invalid("holds Python objects, which are not supported: save it again as numbers or text");
  if (text.size() < 2) return unsupported(whole);
  type.kind = text[0];
  const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), type.size);
  if (error != std::errc{} || end != text.data() + text.size()) return unsupported(whole);
  if (!is_supported(type.kind, type.size)) return unsupported(whole);
  if (type.kind == 'U') type.size *= 4;  // numpy counts characters here, and bytes everywhere else
  return type;
}

std::string element_type_text(const ElementType& type) {
  const bool has_order = type.kind == 'U' || (type.size > 1 && type.kind != 'S');
  const char order = !has_order ? '|' : type.big_endian ? '>' : '<';
  return fmt::format("{}{}{}", order, type.kind, type.kind == 'U' ? type.size / 4 : type.size);
}

Result<std::uint64_t> data_size(const ElementType& type, std::span<const Index> shape) {
  if (std::ranges::find(shape, 0) != shape.end()) return std::uint64_t{0};
  std::uint64_t bytes = type.size;
  for (const Index extent : shape)
    if (__builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes))
      return invalid(fmt::format("has shape ({}), too large for any memory", fmt::join(shape, ", ")));
  return bytes;
}

}  // namespace stad
