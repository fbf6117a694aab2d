#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/eval/fit.hpp>
#include <stad/files.hpp>
#include <stad/threads.hpp>
#include <stad/version.hpp>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/source_card.hpp"
#include "common/interruption.hpp"
#include "common/json_text.hpp"
#include "common/output_path.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

struct FitRequest {
  std::string features_path;
  std::string out_path;
  std::string kind = "logistic";
  CsvColumns columns;
  FitSettings settings;
  std::string card = "on";
  int threads = available_threads();
  bool json = false;
};

std::string fit_json(const FitRequest& request, const FitReport& report) {
  return json_text({{"source", request.out_path},
                    {"kind", request.kind},
                    {"classes", report.source.classes()},
                    {"dimension", report.source.dimension()},
                    {"training_accuracy", report.training_accuracy},
                    {"held_out", report.held_out},
                    {"card", card_json(report.source.card())},
                    {"iterations", report.iterations},
                    {"converged", report.converged},
                    {"version", kVersion}}) +
         "\n";
}

std::string card_line(const FitRequest& request, const FitReport& report) {
  if (report.held_out > 0)
    return fmt::format("card of {} rows held out: {}\n", report.held_out, card_text(report.source.card()));
  if (request.card == "off") return "";
  return "no card: too few rows to hold some out; fitted to all of them (see stad card)\n";
}

std::string fit_text(const FitRequest& request, const FitReport& report) {
  return fmt::format("{}: a head of {} classes in {} dimensions, {:.2f} % training accuracy\n",
                     printable(request.out_path), report.source.classes(), report.source.dimension(),
                     100 * report.training_accuracy) +
         card_line(request, report) + (report.converged ? "" : "the optimiser did not converge; use a larger --l2\n");
}

void fit(FitRequest request) {
  check_output("--out", request.out_path);
  check_apart("--out", request.out_path, request.features_path);
  set_threads(request.threads);
  request.settings.card = request.card == "on";
  request.settings.kind = request.kind == "logistic" ? FitKind::kLogistic : FitKind::kClassMeans;
  const FeatureStream labelled = need(read_stream(request.features_path, request.columns));
  const FitReport report = need(fit_source(labelled, request.settings));
  {
    const InterruptionWatch watch;
    need(write_source(request.out_path, report.source));
    watch.check();
  }
  write_output(request.json ? fit_json(request, report) : fit_text(request, report));
}

}  // namespace

Command add_fit_command(CLI::App& app) {
  auto request = std::make_shared<FitRequest>();
  auto* command = app.add_subcommand("fit", "Fit a source head to labelled embeddings");
  command->add_option("--features", request->features_path, "npz with features and labels, or csv; - is standard input")
      ->required();
  command->add_option("--out", request->out_path, "Write the head to this npz")->required();
  command->add_option("--kind", request->kind, "logistic regression or nearest class-means")
      ->check(CLI::IsMember({"logistic", "class-means"}))
      ->capture_default_str();
  command->add_option("--l2", request->settings.l2, "Penalty on the weights of logistic regression")
      ->capture_default_str();
  command->add_option("--classes", request->settings.classes, "Names of the classes, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--label-column", request->columns.label, "csv: the column of labels (default: label or labels)");
  command->add_option("--time-column", request->columns.time, "csv: the column of time stamps (default: time)");
  command
      ->add_option("--card", request->card,
                   "on: hold out a random fifth of the rows for the card; off: fit to all rows, without a card")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  add_seed_option(*command, request->settings.seed, "Seed of the rows held out for the card");
  add_thread_option(*command, request->threads);
  command->add_flag("--json", request->json, "Print one JSON object");
  command->footer("Example: stad fit --features train.npz --out source.npz");
  return {command, [request] { fit(*request); }};
}

}  // namespace stad::cli
