#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/demo_trials.hpp"
#include "common/json_text.hpp"

namespace stad::cli {

/// Accuracies on the streams with or without label shift for a terminal, better and worse than the source in colour.
std::string demo_table(const std::vector<Trial>& trials, bool label_shift);

/// The figures for programs.
Json demo_json(const std::vector<Trial>& trials, std::uint64_t seed);

/// The report for report_page().
Json demo_page(const std::vector<Trial>& trials, std::uint64_t seed);

}  // namespace stad::cli
