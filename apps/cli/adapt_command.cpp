#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/eval/pipeline.hpp>
#include <stad/files.hpp>
#include <stad/methods.hpp>
#include <stad/threads.hpp>

#include "cli/adapt_input.hpp"
#include "cli/adapt_report.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "common/interruption.hpp"
#include "common/output_path.hpp"
#include "common/progress.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

struct AdaptRequest {
  std::string method;
  InputPaths input;
  std::vector<std::string> options;  // as written: key=value
  BatchSettings batches;
  std::string order = "as-is";
  std::optional<Index> label_delay;
  std::optional<double> label_share;
  std::optional<Index> label_budget;
  std::string out_path;
  std::string state_out_path;
  int threads = available_threads();
  std::string health = "basic";
  std::string card = "on";
  bool json = false;
  bool per_class = false;
  bool calibration = false;
  bool quiet = false;
};

Order order_named(const std::string& name) {
  if (name == "shuffled") return Order::kShuffled;
  return name == "sorted" ? Order::kSorted : Order::kAsIs;
}

HealthLevel level_named(const std::string& name) {
  if (name == "none") return HealthLevel::kNone;
  return name == "full" ? HealthLevel::kFull : HealthLevel::kBasic;
}

void check_request(const AdaptRequest& request) {
  check_input(request.input);
  if (request.label_share && !request.label_delay) reject("adapt: --label-share requires --label-delay");
  if (request.label_budget && !request.input.state_in.empty())
    reject("adapt: --label-budget and --state-in exclude each other: a state continues with its own budget");
  check_output("--out", request.out_path);
  check_output("--state-out", request.state_out_path);
  const InputPaths& paths = request.input;
  for (const auto& input : {paths.source, paths.stream, paths.model, paths.images}) {
    check_apart("--out", request.out_path, input);
    check_apart("--state-out", request.state_out_path, input);
  }
  // --state-in may be the same file as --state-out: the state is then updated in place.
  check_apart("--out", request.out_path, request.input.state_in);
  check_apart("--state-out", request.state_out_path, request.out_path);
}

/// Rejects --per-class and --calibration without labels. Called before the run with the labels of the file, and after
/// it, because all rows used may have the label of no class.
void check_labels(const AdaptRequest& request, const FeatureStream& stream, bool has_labels) {
  if (!has_labels && (request.per_class || request.calibration))
    reject(fmt::format("{}: no labels for the rows used, --per-class and --calibration need them", stream.name));
}

RunReport run_with_progress(const AdaptRequest& request, Adapter& adapter, const FeatureStream& stream,
                            const InterruptionWatch& watch) {
  ProgressBar bar("adapting", !request.quiet);
  auto result = run(adapter, stream, request.batches, [&](const Progress& progress) {
    bar.show(progress.batches_done, progress.batches);
    return !watch.interrupted();
  });
  watch.check();
  return need(std::move(result));
}

void print_report(const AdaptRequest& request, const AdaptReport& report) {
  if (request.json) return write_output(report_json(report));
  if (!request.quiet) write_output(summary_text(report));
  if (request.calibration) write_output(calibration_text(report));
  if (request.per_class) write_output(class_table(report));
}

void adapt(AdaptRequest request) {
  check_request(request);
  set_threads(request.threads);
  request.input.card = request.card == "on";
  request.batches.order = order_named(request.order);
  if (request.label_budget && !request.label_delay) request.label_delay = 1;

  const WallTimer read_timer;
  const AdaptInput input =
      open_input(request.input, request.method, split_options(request.options), request.label_budget, request.batches);
  if (request.label_delay)
    request.batches.late_labels = LateLabels{.delay = *request.label_delay,
                                             .share = request.label_share.value_or(1),
                                             .requested = input.adapter->method() == "stad-safe"};
  check_labels(request, input.stream, input.stream.has_labels());
  input.adapter->watch(level_named(request.health));
  Seconds seconds{.read = read_timer.seconds()};

  const InterruptionWatch watch;
  const RunReport report = run_with_progress(request, *input.adapter, input.stream, watch);
  check_labels(request, input.stream, report.evaluation.has_value());
  seconds.adapt = report.adapt_seconds;

  // The state is written last: if writing the predictions fails, the run can be repeated from the same state.
  const WallTimer write_timer;
  if (!request.out_path.empty()) need(write_predictions(request.out_path, report.predictions));
  if (!request.state_out_path.empty()) need(write_state(request.state_out_path, input.adapter->state()));
  seconds.write = write_timer.seconds();
  watch.check();
  print_report(request, {*input.adapter, report, request.batches, request.order, request.input.head_file(),
                         request.input.rows(), input.network, input.stream.has_time(), request.health, seconds});
}

void add_stream_options(CLI::App& command, AdaptRequest& request) {
  command.add_option("--stream", request.input.stream, "npz, npy or csv; - reads npy or csv from standard input");
  command.add_option("--model", request.input.model, "A TorchScript network, with --images in place of --stream");
  command.add_option("--images", request.input.images, "npz with images or x, optionally labels or y, time or year");
  command.add_option("--head", request.input.head, "Name of the network's last linear layer (default: detected)");
  command.add_option("--label-column", request.input.columns.label,
                     "csv: the column of labels (default: label or labels)");
  command.add_option("--time-column", request.input.columns.time, "csv: the column of time stamps (default: time)");
  command.add_option("--batch-size", request.batches.batch_size,
                     "Rows per batch, within each time step (default: batch_sizes of the stream, else 64)");
  command.add_option("--order", request.order, "as-is, shuffled or sorted (by class) inside each time step")
      ->check(CLI::IsMember({"as-is", "shuffled", "sorted"}))
      ->capture_default_str();
  add_seed_option(command, request.batches.seed, "Seed of the order and of --label-share");
  command.add_option("--since", request.batches.since, "First time stamp used, inclusive");
  command.add_option("--until", request.batches.until, "Last time stamp used, inclusive");
  command.add_flag("--sort-by-time", request.batches.sort_by_time, "Sort the rows by time before batching");
  command.add_option("--label-delay", request.label_delay,
                     "Give the method the labels of the stream after this many batches, to measure their benefit");
  command.add_option("--label-share", request.label_share, "Share of the rows whose label is given (default: 1)");
  command.add_option("--label-budget", request.label_budget,
                     "stad-safe: labels that may be requested over the stream; they are taken from its labels, one\n"
                     "batch late (see --label-delay)");
}

void add_report_options(CLI::App& command, AdaptRequest& request) {
  command.add_option("--out", request.out_path, "Write labels and probabilities to this npz");
  command.add_option("--state-in", request.input.state_in, "Continue from this state");
  command.add_option("--state-out", request.state_out_path, "Write the state after the last batch");
  add_thread_option(command, request.threads);
  command
      .add_option(
          "--health", request.health,
          "Label-free monitoring: none, basic, or full, which runs a second method to compare with and takes longer")
      ->check(CLI::IsMember({"none", "basic", "full"}))
      ->capture_default_str();
  command.add_flag("--json", request.json, "Print one JSON object");
  command.add_flag("--per-class", request.per_class, "Print recall and precision of every class");
  command.add_flag("--calibration", request.calibration, "Print the expected calibration error");
  command.add_flag("--quiet", request.quiet, "No summary, no progress");
}

}  // namespace

Command add_adapt_command(CLI::App& app) {
  auto request = std::make_shared<AdaptRequest>();
  auto* command = app.add_subcommand("adapt", "Adapt a classifier along a stream and write its predictions");
  command->add_option("--method", request->method, "See stad methods (default: that of --state-in, else stad-safe)");
  command->add_option(
      "--source", request->input.source,
      "The head: npz with weight, optionally bias, mean, classes, card (default: from the stream file or the model)");
  command->add_option("--card", request->card, "on, or off: adapt as if the source had no card (see stad card)")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  add_method_option(*command, request->options);
  add_stream_options(*command, *request);
  add_report_options(*command, *request);
  command->footer(
      "The warning level tells of the source, if it has a card: fine (no sign of lost accuracy), watch (its accuracy\n"
      "may have fallen) or act (it has probably fallen). On data sets left out when its thresholds were chosen, of\n"
      "steps called fine 3.8 % had lost more than 10 points, of steps called act 3.5 % had lost nothing, and steps\n"
      "that lost more than 10 points were called act in 79 %.\n\n"
      "Example: stad adapt --source head.npz --stream days.npz --out answers.npz\n"
      "         stad adapt --method stad-vmf -O init=previous --source head.npz --stream days.npz --out answers.npz\n"
      "         stad adapt --source head.npz --stream days.npz --label-budget 50\n"
      "         stad adapt --method tent --model net.pt --images days.npz");
  return {command, [request] { adapt(*request); }};
}

}  // namespace stad::cli
