#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <stad/eval/metrics.hpp>
#include <stad/options.hpp>
#include <stad/eval/pipeline.hpp>
#include <stad/eval/simulate.hpp>

namespace stad::cli {

struct DemoMethod {
  std::string title;  ///< of its row and line
  std::string name;
  OptionValues options;  ///< where they differ from the defaults
};

/// The same for every stream: nothing is tuned to the drift.
const std::vector<DemoMethod>& demo_methods();

/// One stream and what each method makes of it, in the order of demo_methods(); the first is the source.
struct Trial {
  std::string drift;
  bool label_shift = false;
  std::vector<Evaluation> results;
  std::vector<StepHealth> told;  ///< what the first method that guards itself says of itself
};

/// The settings of a demo stream, apart from drift and label shift.
SimulationSettings demo_settings(std::uint64_t seed);

/// Three drifts, each with and without label shift.
/// @param notice called after every run with the runs done and the runs in all
std::vector<Trial> run_trials(std::uint64_t seed, const std::function<void(Index, Index)>& notice);

}  // namespace stad::cli
