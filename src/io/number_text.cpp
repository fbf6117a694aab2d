#include "io/number_text.hpp"

#include <charconv>
#include <cmath>

#include "io/number.hpp"

namespace stad {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  // from_chars knows no plus sign; "+-1" is still no number.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

/// from_chars calls both ends of the range the same; a wider type tells them apart, and beyond that the exponent.
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
