#include <cmath>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/files.hpp>
#include <stad/methods.hpp>
#include <stad/threads.hpp>
#include <stad/version.hpp>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "common/interruption.hpp"
#include "common/json_text.hpp"
#include "common/output_path.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

struct CertifyRequest {
  std::string source_path;
  std::string history_path;
  std::string out_path;
  std::string candidates = "auto";
  Index batch_size = 64;
  CsvColumns columns;
  int threads = available_threads();
  bool json = false;
};

Json candidate_json(const CandidateRecord& record) {
  return {{"name", record.name},
          {"answers", record.answers},
          {"admitted", value_or_null(record.admitted)},
          {"wealth", record.wealth},
          {"threshold", record.threshold},
          {"gain", record.gain},
          {"gain_error", record.gain_error},
          {"worst", {{"gain", record.worst_gain}, {"from", record.worst_from}, {"until", record.worst_until}}}};
}

std::string certification_json(const CertifyRequest& request, const Certification& result) {
  Json candidates = Json::array();
  for (const CandidateRecord& record : result.candidates) candidates.push_back(candidate_json(record));
  return json_text({{"source", request.out_path},
                    {"rows", result.rows},
                    {"steps", result.steps},
                    {"candidates", candidates},
                    {"version", kVersion}}) +
         "\n";
}

std::string worst_text(const CandidateRecord& record) {
  if (record.worst_gain >= 0) return "none";
  return fmt::format("{:+.2f} from {:g} to {:g}", 100 * record.worst_gain, record.worst_from, record.worst_until);
}

std::string certification_text(const CertifyRequest& request, const Certification& result) {
  std::vector<std::vector<Cell>> rows{
      {{"candidate"}, {"gain in points"}, {"worst steps"}, {"wealth"}, {"needs"}, {"admitted"}}};
  std::string winner;
  for (const CandidateRecord& record : result.candidates) {
    if (record.answers) winner = record.name;
    rows.push_back({{record.name},
                    {fmt::format("{:+.2f} +- {:.2f}", 100 * record.gain, 100 * record.gain_error)},
                    {worst_text(record)},
                    {fmt::format("{:.3g}", record.wealth)},
                    {fmt::format("{:.0f}", record.threshold)},
                    {record.admitted ? fmt::format("after {:g}", *record.admitted) : "no"}});
  }
  return fmt::format("{} rows in {} time steps, one bet a step\n\n{}\n{}: {}\n", result.rows, result.steps, table(rows),
                     printable(request.out_path),
                     winner.empty() ? "no candidate is proved better than the base, which answers"
                                    : winner + " answers from the start; labels may revoke it");
}

void write_certificate(const CertifyRequest& request) {
  check_output("--out", request.out_path);
  check_apart("--out", request.out_path, request.history_path);
  set_threads(request.threads);
  const SourceModel source = need(read_source(request.source_path));
  const FeatureStream history = need(read_stream(request.history_path, request.columns));
  const Certification result = need(certify(source, history, request.candidates, request.batch_size));
  {
    const InterruptionWatch watch;
    need(write_source(request.out_path, result.source));
    watch.check();
  }
  write_output(request.json ? certification_json(request, result) : certification_text(request, result));
}

}  // namespace

Command add_certify_command(CLI::App& app) {
  auto request = std::make_shared<CertifyRequest>();
  auto* command = app.add_subcommand("certify", "Decide by a labelled history which candidate of stad-safe answers");
  command->add_option("--source", request->source_path, "The head: npz with weight, optionally a card")->required();
  command
      ->add_option("--history", request->history_path,
                   "npz with features, labels and time, or csv: rows that neither the head nor its card has seen")
      ->required();
  command->add_option("--out", request->out_path, "Write the head with its certificate to this npz")->required();
  command->add_option("--candidates", request->candidates, "Names separated by commas; auto: chains,fine-tune")
      ->capture_default_str();
  command->add_option("--batch-size", request->batch_size, "Rows per batch, within each time step")
      ->capture_default_str();
  command->add_option("--label-column", request->columns.label, "csv: the column of labels (default: label or labels)");
  command->add_option("--time-column", request->columns.time, "csv: the column of time stamps (default: time)");
  add_thread_option(*command, request->threads);
  command->add_flag("--json", request->json, "Print one JSON object");
  command->footer(
      "Every time step is one bet, on how often the candidate is right where it differs from the base. A candidate is\n"
      "admitted when its wealth reaches what it needs. The certificate is about the past: it assumes that future "
      "steps\n"
      "resemble past ones. In deployment give stad-safe a label_budget, so that the watch can revoke the admission.\n\n"
      "Example: stad certify --source head.npz --history last-year.npz --out certified.npz");
  return {command, [request] { write_certificate(*request); }};
}

}  // namespace stad::cli
