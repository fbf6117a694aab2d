#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <stad/options.hpp>

namespace stad::cli {

/// JSON that keeps the order in which keys were added.
using Json = nlohmann::ordered_json;

/// The value in one line. Bytes that are not UTF-8, such as names from files, are replaced.
std::string json_text(const Json& value);

/// The value, or null where there is none.
template <typename T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

/// A finite number where the whole text is one, else the text.
Json number_or_text(const std::string& text);

/// The options as an object; numeric options become numbers.
Json options_json(const std::vector<OptionSetting>& options);

/// A time stamp, as an integer where it has no fractional part.
Json time_value(double time);

}  // namespace stad::cli
