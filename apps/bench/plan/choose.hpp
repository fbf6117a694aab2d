#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/toml_table.hpp"

namespace stad::cli::bench {

/// The value a word stands for; any other word is refused.
template <typename Value, std::size_t size>
Value choose(const Place& place, const std::string& key, const std::string& text,
             const std::pair<const char*, Value> (&choices)[size]) {
  std::vector<std::string> known;
  for (const auto& [name, value] : choices) {
    if (text == name) return value;
    known.push_back(name);
  }
  refuse_at(place, fmt::format("{} is {}, must be one of {}", key, text, fmt::join(known, ", ")));
}

}  // namespace stad::cli::bench
