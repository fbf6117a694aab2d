#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <stad/eval/metrics.hpp>
#include <stad/eval/pipeline.hpp>
#include <stad/eval/simulate.hpp>
#include <stad/options.hpp>

#include "common/json_text.hpp"

namespace stad::cli {

struct DemoMethod {
  std::string title;  ///< label of its table row and chart line
  std::string name;
  OptionValues options;  ///< those that differ from the defaults
};

/// The methods of the demo, with the same options for every stream.
const std::vector<DemoMethod>& demo_methods();

/// One stream and the results of demo_methods() on it, in that order; the first is the source.
struct DemoTrial {
  std::string drift;
  bool label_shift = false;
  std::vector<Evaluation> results;
  std::vector<StepHealth> health;         ///< of stad-safe without labels
  std::optional<WarningRecord> warnings;  ///< of stad-safe without labels
};

/// The settings of a demo stream, apart from drift and label shift.
SimulationSettings demo_settings(std::uint64_t seed);

/// Three drifts and none, each with and without label shift.
/// @param progress called after every run with the numbers of finished and of all runs
std::vector<DemoTrial> run_trials(std::uint64_t seed, const std::function<void(Index, Index)>& progress);

/// Accuracies on the streams with or without label shift, for the terminal; differences to the source are coloured.
std::string demo_table(const std::vector<DemoTrial>& trials, bool label_shift);

/// The results as JSON.
Json demo_json(const std::vector<DemoTrial>& trials, std::uint64_t seed);

/// The report for report_page().
Json demo_page(const std::vector<DemoTrial>& trials, std::uint64_t seed);

}  // namespace stad::cli
