#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <stad/options.hpp>

namespace stad::cli {

/// Keeps the keys in the order they were written, as a reader expects them.
using Json = nlohmann::ordered_json;

/// One line. Bytes that are not UTF-8 (names from files) are replaced rather than refused.
std::string json_text(const Json& value);

/// Null where there is none.
template <typename T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

/// A number where the text is one, else the text.
Json number_or_text(const std::string& text);

/// An object with numbers as numbers.
Json options_json(const std::vector<OptionSetting>& options);

/// A time stamp: an integer where it is integral.
Json time_value(double time);

}  // namespace stad::cli
