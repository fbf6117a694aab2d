#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

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

struct CardRequest {
  std::string source_path;
  std::string features_path;
  std::string out_path;
  CsvColumns columns;
  int threads = available_threads();
  bool json = false;
};

std::string report_json(const CardRequest& request, const SourceModel& source, Index rows) {
  return json_text({{"source", request.out_path},
                    {"rows", rows},
                    {"classes", source.classes()},
                    {"dimension", source.dimension()},
                    {"card", card_json(source.card())},
                    {"version", kVersion}}) +
         "\n";
}

std::string report_text(const CardRequest& request, const SourceModel& source, Index rows) {
  return fmt::format("{}: the head with a card of {} rows: {}\n", printable(request.out_path), rows,
                     card_text(source.card()));
}

void write_card(const CardRequest& request) {
  check_output("--out", request.out_path);
  check_apart("--out", request.out_path, request.features_path);
  set_threads(request.threads);
  const SourceModel head = need(read_source(request.source_path));
  const FeatureStream labelled = need(read_stream(request.features_path, request.columns));
  const SourceModel source = with_card(head, labelled);
  {
    const InterruptionWatch watch;
    need(write_source(request.out_path, source));
    watch.check();
  }
  write_output(request.json ? report_json(request, source, labelled.features.rows)
                            : report_text(request, source, labelled.features.rows));
}

}  // namespace

Command add_card_command(CLI::App& app) {
  auto request = std::make_shared<CardRequest>();
  auto* command = app.add_subcommand("card", "Add a card to a head: its statistics on labelled rows");
  command->add_option("--source", request->source_path, "The head: npz with weight, or npy")->required();
  command
      ->add_option("--features", request->features_path,
                   "npz with features and labels, or csv: rows the head was not fitted to; - is standard input")
      ->required();
  command->add_option("--out", request->out_path, "Write the head with its card to this npz")->required();
  command->add_option("--label-column", request->columns.label, "csv: the column of labels (default: label or labels)");
  command->add_option("--time-column", request->columns.time, "csv: the column of time stamps (default: time)");
  add_thread_option(*command, request->threads);
  command->add_flag("--json", request->json, "Print one JSON object");
  command->footer(
      "The rows must be of the training period but not those the head was fitted to, on which it looks too accurate.\n"
      "Without a card the temperature is 1, classes count as equally frequent, there is no warning level of lost\n"
      "accuracy, and features cannot be standardised.\n\n"
      "Example: stad card --source head.npz --features validation.npz --out head-with-card.npz");
  return {command, [request] { write_card(*request); }};
}

}  // namespace stad::cli
