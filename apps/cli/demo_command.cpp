#include "cli/demo.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/eval/pipeline.hpp>
#include <stad/files.hpp>
#include <stad/methods.hpp>
#include <stad/threads.hpp>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/report_page.hpp"
#include "common/interruption.hpp"
#include "common/output_path.hpp"
#include "common/progress.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

struct DemoRequest {
  std::string out_path = "stad-demo.html";
  std::uint64_t seed = 1;
  bool json = false;
};

constexpr char kIntroduction[] =
    "Simulated streams whose classes drift away from the training distribution, and\n"
    "one that does not drift. Accuracy in %; in brackets, points above or below the\n"
    "source. Sorted: the rows of each time step are ordered by class. Without labels,\n"
    "stad-safe answers as the source does, except where labels persist as in sorted\n"
    "streams. With 50 labels of 10,240 rows, which it requests itself, it answers\n"
    "otherwise once they prove that this is better. The other methods always adapt,\n"
    "and gain or lose.\n";

std::string closing_text(const std::string& path, double seconds) {
  return fmt::format(
      "Done in {:.1f} s. Accuracy over time is plotted in {}\n"
      "Next:\n"
      "  stad simulate --drift recurring --out stream.npz   write a simulated stream\n"
      "  stad adapt --stream stream.npz                     adapt along that stream\n"
      "  stad methods                                       list methods and options\n",
      seconds, printable(path));
}

void demo(const DemoRequest& request) {
  check_output("--out", request.out_path);
  set_threads(available_threads());
  const WallTimer timer;
  const InterruptionWatch watch;
  ProgressBar bar("demo");
  const auto trials = run_trials(request.seed, [&](Index done, Index all) {
    watch.check();
    bar.show(done, all);
  });
  bar.wipe();
  need(write_text(request.out_path, report_page(demo_page(trials, request.seed))));
  watch.check();
  if (request.json) {
    Json json = demo_json(trials, request.seed);
    json["page"] = request.out_path;
    return write_output(json_text(json) + "\n");
  }
  write_output(std::string(kIntroduction) + "\n" + demo_table(trials, false) + "\n" + demo_table(trials, true) + "\n" +
               closing_text(request.out_path, timer.seconds()));
}

constexpr std::pair<Drift, const char*> kDemoDrifts[] = {{Drift::kRapid, "rapid"},
                                                         {Drift::kNone, "none"},
                                                         {Drift::kProgressive, "progressive"},
                                                         {Drift::kRecurring, "recurring"}};

void run_method(const DemoMethod& method, const Simulation& simulation, DemoTrial& trial) {
  const auto adapter = need(make_adapter(method.name, simulation.source, method.options));
  BatchSettings settings;
  if (adapter->takes_labels() && adapter->guard()) settings.late_labels = LateLabels{.delay = 1, .requested = true};
  RunReport report = need(run(*adapter, simulation.stream, settings));
  trial.results.push_back(*std::move(report.evaluation));
  if (!adapter->guard() || adapter->takes_labels()) return;
  trial.health = std::move(report.health);
  trial.warnings = report.warnings;
}

}  // namespace

Command add_demo_command(CLI::App& app) {
  auto request = std::make_shared<DemoRequest>();
  auto* command = app.add_subcommand("demo", "Run the methods on simulated streams and write an HTML report");
  command->add_option("--out", request->out_path, "Path of the HTML report")->capture_default_str();
  add_seed_option(*command, request->seed, "Seed of the simulated streams");
  command->add_flag("--json", request->json, "Print one JSON object");
  command->footer("Example: stad demo --seed 7 --out demo.html");
  return {command, [request] { demo(*request); }};
}

const std::vector<DemoMethod>& demo_methods() {
  static const std::vector<DemoMethod> methods{
      {"source", "source", {}},
      {"stad-safe, no labels", "stad-safe", {}},
      // Labels may admit stad-vmf as well, which suits simulated classes: each is one cluster.
      {"stad-safe, 50 labels",
       "stad-safe",
       {{"label_budget", "50"}, {"label_period", "10240"}, {"candidates", "chains,fine-tune,stad-vmf"}}},
      {"stad-vmf", "stad-vmf", {}},
      // Softer assignments, and predictions that use the class proportions of the batch: for temporally correlated
      // labels.
      {"stad-vmf, soft", "stad-vmf", {{"kappa_ems", "10"}, {"probabilities", "posterior"}}},
      {"stad-gauss", "stad-gauss", {}}};
  return methods;
}

SimulationSettings demo_settings(std::uint64_t seed) { return {.samples_per_step = 512, .seed = seed}; }

std::vector<DemoTrial> run_trials(std::uint64_t seed, const std::function<void(Index, Index)>& progress) {
  const auto runs = static_cast<Index>(std::size(kDemoDrifts) * 2 * demo_methods().size());
  Index done = 0;
  std::vector<DemoTrial> trials;
  for (const bool label_shift : {false, true}) {
    for (const auto& [drift, name] : kDemoDrifts) {
      SimulationSettings settings = demo_settings(seed);
      settings.drift = drift;
      settings.label_shift = label_shift;
      const Simulation simulation = need(simulate(settings));
      DemoTrial trial{name, label_shift, {}, {}, {}};
      for (const auto& method : demo_methods()) {
        run_method(method, simulation, trial);
        progress(++done, runs);
      }
      trials.push_back(std::move(trial));
    }
  }
  return trials;
}

}  // namespace stad::cli
