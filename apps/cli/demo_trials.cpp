#include "cli/demo_trials.hpp"

#include <utility>

#include <stad/methods.hpp>
#include <stad/eval/pipeline.hpp>

#include "cli/command.hpp"

namespace stad::cli {
namespace {

constexpr std::pair<Drift, const char*> kDrifts[] = {
    {Drift::kRecurring, "recurring"}, {Drift::kProgressive, "progressive"}, {Drift::kRapid, "rapid"}};

void run_method(const DemoMethod& method, const Simulation& simulation, Trial& trial) {
  const auto adapter = need(make_adapter(method.name, simulation.source, method.options));
  RunReport report = need(run(*adapter, simulation.stream, {}));
  trial.results.push_back(*std::move(report.evaluation));
  if (adapter->guard() && trial.told.empty()) trial.told = std::move(report.health);
}

}  // namespace

const std::vector<DemoMethod>& demo_methods() {
  static const std::vector<DemoMethod> methods{
      {"source", "source", {}},
      {"stad-safe", "stad-safe", {}},
      {"t3a", "t3a", {}},
      {"lame", "lame", {}},
      {"stad-vmf", "stad-vmf", {}},
      // Softer assignments, and answers that know the batch's class proportions: for classes that come in runs.
      {"stad-vmf, soft", "stad-vmf", {{"kappa_ems", "10"}, {"probabilities", "posterior"}}},
      {"stad-gauss", "stad-gauss", {}}};
  return methods;
}

SimulationSettings demo_settings(std::uint64_t seed) { return {.samples_per_step = 512, .seed = seed}; }

std::vector<Trial> run_trials(std::uint64_t seed, const std::function<void(Index, Index)>& notice) {
  const auto runs = static_cast<Index>(std::size(kDrifts) * 2 * demo_methods().size());
  Index done = 0;
  std::vector<Trial> trials;
  for (const bool label_shift : {false, true}) {
    for (const auto& [drift, name] : kDrifts) {
      SimulationSettings settings = demo_settings(seed);
      settings.drift = drift;
      settings.label_shift = label_shift;
      const Simulation simulation = need(simulate(settings));
      Trial trial{name, label_shift, {}, {}};
      for (const auto& method : demo_methods()) {
        run_method(method, simulation, trial);
        notice(++done, runs);
      }
      trials.push_back(std::move(trial));
    }
  }
  return trials;
}

}  // namespace stad::cli
