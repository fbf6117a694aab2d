#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/eval/simulate.hpp>
#include <stad/files.hpp>
#include <stad/version.hpp>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "common/interruption.hpp"
#include "common/json_text.hpp"
#include "common/named_values.hpp"
#include "common/output_path.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

struct SimulateRequest {
  std::string out_path;
  std::string drift = "progressive";
  SimulationSettings settings;
  bool json = false;
};

std::vector<std::string> drift_names() {
  std::vector<std::string> names;
  for (const auto& [name, drift] : kDrifts) names.emplace_back(name);
  return names;
}

/// The drift of a name that CLI11 has validated.
Drift drift_named(const std::string& name) {
  return std::ranges::find(kDrifts, name, [](const auto& entry) { return std::string(entry.first); })->second;
}

std::string simulate_json(const SimulateRequest& request, const Simulation& simulation) {
  const auto& settings = request.settings;
  return json_text({{"stream", request.out_path},
                    {"drift", request.drift},
                    {"label_shift", settings.label_shift},
                    {"scattered", settings.scattered},
                    {"unknown_class", settings.unknown_class},
                    {"samples", simulation.stream.features.rows},
                    {"steps", settings.steps},
                    {"classes", settings.classes},
                    {"dimension", settings.dimension},
                    {"strength", settings.strength},
                    {"noise", settings.noise},
                    {"seed", settings.seed},
                    {"version", kVersion}}) +
         "\n";
}

std::string simulate_text(const SimulateRequest& request, const Simulation& simulation) {
  return fmt::format(
      "{0}: {1} rows in {2} time steps, {3} classes in {4} dimensions, and the head they belong to\n"
      "Next: stad adapt --method stad-vmf --stream {0}\n",
      printable(request.out_path), simulation.stream.features.rows, request.settings.steps, request.settings.classes,
      request.settings.dimension);
}

void write_simulation(SimulateRequest request) {
  check_output("--out", request.out_path);
  request.settings.drift = drift_named(request.drift);
  const Simulation simulation = need(simulate(request.settings));
  {
    const InterruptionWatch watch;
    need(write_stream(request.out_path, simulation.stream, &simulation.source));
    watch.check();
  }
  write_output(request.json ? simulate_json(request, simulation) : simulate_text(request, simulation));
}

}  // namespace

Command add_simulate_command(CLI::App& app) {
  auto request = std::make_shared<SimulateRequest>();
  auto& settings = request->settings;
  auto* command = app.add_subcommand("simulate", "Write a drifting stream and its source head into one npz");
  command->add_option("--out", request->out_path, "Write to this npz")->required();
  command->add_option("--drift", request->drift, "none, recurring, progressive, rapid or abrupt")
      ->check(CLI::IsMember(drift_names()))
      ->capture_default_str();
  command->add_flag("--label-shift", settings.label_shift, "Sort the rows by class inside each time step");
  command->add_flag("--scattered", settings.scattered,
                    "Classes that are linearly separable but not separated by their means");
  command->add_flag("--unknown-class", settings.unknown_class,
                    "From the middle on, one in K + 1 rows belongs to a class unknown to the head; labelled -1");
  command->add_option("--steps", settings.steps, "Time steps")->capture_default_str();
  command->add_option("--samples", settings.samples_per_step, "Rows per time step")->capture_default_str();
  command->add_option("--classes", settings.classes, "Classes, from 2 to 1000")->capture_default_str();
  command->add_option("--dimension", settings.dimension, "Dimensions, from 2 to 4096")->capture_default_str();
  command->add_option("--strength", settings.strength, "Strength of the drift, from 0 to 10")->capture_default_str();
  command->add_option("--noise", settings.noise, "Spread around the class centres, up to 10")->capture_default_str();
  add_seed_option(*command, settings.seed, "Seed; equal seeds give identical output");
  command->add_flag("--json", request->json, "Print one JSON object");
  command->footer("Example: stad simulate --drift recurring --label-shift --out stream.npz");
  return {command, [request] { write_simulation(*request); }};
}

}  // namespace stad::cli
