#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace stad {

// Numbers as people and programs write them, whatever the locale: the whole text must be one number, spaces around
// it aside. nan and inf are numbers. None otherwise.

enum class NumberFlaw { kNone, kNotANumber, kTooLarge };

template <typename T>
struct ParsedNumber {
  T value = 0;
  NumberFlaw flaw = NumberFlaw::kNone;
};

/// float or double. What is too small becomes zero; what is too large is a flaw.
template <typename T>
ParsedNumber<T> parse_number(std::string_view text);

/// Also "3.0" and "3e2": programs write labels so.
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace stad
