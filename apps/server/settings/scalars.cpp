#include "server/settings/scalars.hpp"

#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "server/refusal.hpp"

namespace stad::server {

double number_of(const std::string& name, const std::string& text, double least, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= least && value <= most))
    refuse(400, fmt::format("{} is '{}', must be a number from {} to {}", name, text, least, most));
  return value;
}

std::int64_t integer_of(const std::string& name, const std::string& text, std::int64_t least, std::int64_t most) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
    refuse(400, fmt::format("{} is '{}', must be an integer from {} to {}", name, text, least, most));
  return value;
}

std::int64_t bytes_of(const std::string& name, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, text.data() + text.size());
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  const double scale = unit.empty() || unit == "B" ? 1
                       : unit == "KB"              ? 1e3
                       : unit == "MB"              ? 1e6
                       : unit == "GB"              ? 1e9
                                                   : 0;
  if (error != std::errc() || scale == 0 || !(value >= 0 && value * scale <= 1e15))
    refuse(400, fmt::format("{} is '{}', must be a size such as 64 MB or 1 GB", name, text));
  return static_cast<std::int64_t>(value * scale);
}

}  // namespace stad::server
