#include <cstdint>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/files.hpp>
#include <stad/threads.hpp>

#include "cli/command.hpp"
#include "cli/demo_report.hpp"
#include "cli/demo_trials.hpp"
#include "common/interruption.hpp"
#include "common/output_path.hpp"
#include "common/progress.hpp"
#include "cli/report_page.hpp"
#include "cli/seed_option.hpp"
#include "common/terminal.hpp"
#include "cli/thread_option.hpp"

namespace stad::cli {
namespace {

struct DemoRequest {
  std::string out_path = "stad-demo.html";
  std::uint64_t seed = 1;
  bool json = false;
};

constexpr char kIntroduction[] =
    "Simulated streams whose classes wander away from where the classifier learned\n"
    "them. No method sees a label. Accuracy in %; in brackets, points above or below\n"
    "the source. Sorted: the rows of each time step come class by class.\n";

std::string closing_text(const std::string& path, double seconds) {
  return fmt::format(
      "Done in {:.1f} s. Accuracy over time is plotted in {}\n"
      "Next:\n"
      "  stad simulate --drift recurring --out stream.npz   a stream of your own\n"
      "  stad adapt --stream stream.npz                     adapt along it\n"
      "  stad methods                                       every method and option\n",
      seconds, printable(path));
}

void demo(const DemoRequest& request) {
  check_output("--out", request.out_path);
  set_threads(available_threads());
  const Stopwatch stopwatch;
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
    return say(json_text(json) + "\n");
  }
  say(std::string(kIntroduction) + "\n" + demo_table(trials, false) + "\n" + demo_table(trials, true) + "\n" +
      closing_text(request.out_path, stopwatch.seconds()));
}

}  // namespace

Command add_demo_command(CLI::App& app) {
  auto request = std::make_shared<DemoRequest>();
  auto* command = app.add_subcommand("demo", "Run every method on simulated streams and write a page about it");
  command->add_option("--out", request->out_path, "Where the page goes")->capture_default_str();
  add_seed_option(*command, request->seed, "Of the simulated streams");
  command->add_flag("--json", request->json, "Print one JSON object");
  command->footer("Example: stad demo --seed 7 --out demo.html");
  return {command, [request] { demo(*request); }};
}

}  // namespace stad::cli
