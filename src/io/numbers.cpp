#include "io/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "io/text.hpp"

namespace stad {
namespace {

constexpr std::size_t kLargestText = std::size_t{1} << 24;  // bytes of one class name

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
  if (type.kind == 'U') type.size *= 4;  // numpy counts characters of this type, and bytes of all others
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
      return invalid(
          fmt::format("has shape ({}), must have a size in bytes of at most 64 bits", fmt::join(shape, ", ")));
  return bytes;
}

namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  // from_chars accepts no plus sign. "+-1" is not a number.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

/// from_chars reports overflow and underflow alike. A wider type distinguishes them, and beyond its range the exponent.
template <typename T>
ParsedNumber<T> parse_extreme(std::string_view text) {
  long double wide = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), wide);
  if (error == std::errc{} && std::abs(wide) < 1) return {static_cast<T>(wide), NumberFlaw::kNone};
  const bool vanishes = error != std::errc{} && text.find_first_of("eE") != std::string_view::npos &&
                        text.substr(text.find_first_of("eE")).find('-') != std::string_view::npos;
  return {0, vanishes ? NumberFlaw::kNone : NumberFlaw::kTooLarge};
}

}  // namespace

template <typename T>
ParsedNumber<T> parse_number(std::string_view text) {
  text = trimmed(text);
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return {0, NumberFlaw::kNotANumber};
  if (error == std::errc::result_out_of_range) return parse_extreme<T>(text);
  return {value, NumberFlaw::kNone};
}

template ParsedNumber<float> parse_number<float>(std::string_view);
template ParsedNumber<double> parse_number<double>(std::string_view);

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const auto digits = trimmed(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc{} && end == digits.data() + digits.size()) return value;
  const auto number = parse_number<double>(text);
  if (number.flaw != NumberFlaw::kNone || !fits_integer(number.value)) return std::nullopt;
  return static_cast<std::int64_t>(number.value);
}

}  // namespace stad
