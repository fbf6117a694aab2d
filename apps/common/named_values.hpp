#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <stad/eval/simulate.hpp>

#include "common/toml_table.hpp"

namespace stad::cli {

/// The drifts of the simulator by the names used in options and experiment files.
constexpr std::pair<const char*, Drift> kDrifts[] = {{"none", Drift::kNone},
                                                     {"recurring", Drift::kRecurring},
                                                     {"progressive", Drift::kProgressive},
                                                     {"rapid", Drift::kRapid},
                                                     {"abrupt", Drift::kAbrupt}};

/// The value that `text` names in `choices`. Any other text is rejected with a message that lists the names.
/// @param key the key of the TOML file that holds the text, for the message
template <typename Value, std::size_t size>
Value choose(const TomlPlace& place, const std::string& key, const std::string& text,
             const std::pair<const char*, Value> (&choices)[size]) {
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (text == name) return value;
    names.emplace_back(name);
  }
  reject_at(place, fmt::format("{} is {}, must be one of {}", key, text, fmt::join(names, ", ")));
}

}  // namespace stad::cli
