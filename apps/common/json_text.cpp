#include "common/json_text.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace stad::cli {
namespace {

constexpr double kExactIntegers = 9007199254740992;  // 2^53

}  // namespace

std::string json_text(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json number_or_text(const std::string& text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || !std::isfinite(number)) return text;
  return time_value(number);
}

Json options_json(const std::vector<OptionSetting>& options) {
  Json json = Json::object();
  for (const auto& option : options)
    json[option.name] = option.is_number ? number_or_text(option.value) : Json(option.value);
  return json;
}

Json time_value(double time) {
  if (time == std::floor(time) && std::abs(time) < kExactIntegers) return static_cast<std::int64_t>(time);
  return time;
}

}  // namespace stad::cli
