#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <stad/eval/speed.hpp>
#include <stad/threads.hpp>

#include "cli/command.hpp"
#include "cli/method_option.hpp"
#include "cli/seed_option.hpp"
#include "cli/speed_report.hpp"
#include "common/terminal.hpp"
#include "cli/thread_option.hpp"

namespace stad::cli {
namespace {

struct SpeedRequest {
  SpeedSettings settings;
  std::vector<std::string> options;  // as written: key=value
  int threads = available_threads();
  bool json = false;
};

void measure(SpeedRequest request) {
  request.settings.options = split_options(request.options);
  set_threads(request.threads);
  const SpeedReport report = need(measure_speed(request.settings));
  say(request.json ? speed_json(report) : speed_text(report));
}

}  // namespace

Command add_speed_command(CLI::App& app) {
  auto request = std::make_shared<SpeedRequest>();
  auto& settings = request->settings;
  auto* command = app.add_subcommand("speed", "Check a method's answers on this machine, then time it");
  command->add_option("--method", settings.method, "One on embeddings; see stad methods")->capture_default_str();
  add_method_option(*command, request->options);
  command->add_option("--samples", settings.samples, "Rows a batch")->capture_default_str();
  command->add_option("--dim", settings.dimension, "Dimensions")->capture_default_str();
  command->add_option("--classes", settings.classes, "Classes")->capture_default_str();
  command->add_option("--steps", settings.steps, "Batches timed (default: about 2 seconds of them, from 20 to 1000)");
  add_thread_option(*command, request->threads);
  add_seed_option(*command, settings.seed, "Of the stream");
  command->add_flag("--json", request->json, "Print one JSON object");
  command->footer("Example: stad speed --method stad-vmf --samples 64 --dim 2048 --classes 1000 --threads 1");
  return {command, [request] { measure(*request); }};
}

}  // namespace stad::cli
