#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <stad/files.hpp>
#include <stad/threads.hpp>

#include "bench/report/bench_page.hpp"
#include "bench/report/bench_summary.hpp"
#include "bench/report/result_rows.hpp"
#include "bench/run/run_all.hpp"
#include "cli/command.hpp"
#include "cli/network_process.hpp"
#include "common/progress.hpp"
#include "cli/report_page.hpp"
#include "common/terminal.hpp"
#include "cli/thread_option.hpp"

namespace stad::cli {
namespace {

namespace fs = std::filesystem;

struct BenchRequest {
  std::vector<std::string> experiments;
  std::string data;
  std::string out = "stad-bench";
  int threads = available_threads();
  bool skip_missing = false;
  bool json = false;
  bool quiet = false;
};

/// Below the first experiment's own directory, unless told otherwise.
std::string data_directory(const BenchRequest& request) {
  if (request.data.empty()) return fs::path(request.experiments.front()).parent_path().string();
  std::error_code ignored;
  if (!fs::is_directory(request.data, ignored)) reject(fmt::format("--data {}: is not a directory", request.data));
  return request.data;
}

bool needs_networks(const bench::Experiment& experiment) {
  return std::ranges::any_of(experiment.streams, [](const auto& stream) { return !stream.models.empty(); });
}

bench::Outcome run_watched(const BenchRequest& request, const bench::Plan& plan, const bench::RunStore& store) {
  const InterruptionWatch watch;
  try {
    return bench::run_all(plan, store, request.threads, !request.quiet, watch);
  } catch (const Interrupted&) {
    std::fprintf(stderr, "stad: interrupted; what is finished is kept in %s, the same command goes on from there\n",
                 printable(request.out).c_str());
    throw;
  }
}

void write_results(const std::string& directory, const std::vector<bench::Experiment>& experiments,
                   const bench::Plan& plan, const bench::Outcome& outcome, const Json& summary) {
  const auto path = [&](const char* name) { return (fs::path(directory) / name).string(); };
  const Json rows = bench::result_rows(experiments, plan, outcome);
  need(write_text(path("results.json"), rows.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"));
  need(write_text(path("results.csv"), bench::csv_text(rows)));
  need(write_text(path("summary.json"), json_text(summary) + "\n"));
  need(write_text(path("report.html"), report_page(bench::bench_page(experiments, plan, outcome))));
}

std::string closing_text(const BenchRequest& request, const bench::Plan& plan, const bench::Outcome& outcome,
                         double seconds) {
  std::string text =
      fmt::format("{} runs in {:.1f} s, {} more were there already", outcome.tally.run, seconds, outcome.tally.reused);
  if (outcome.tally.failed) text += fmt::format(", {} failed", outcome.tally.failed);
  text += fmt::format(". Report: {}\n", printable((fs::path(request.out) / "report.html").string()));
  for (const auto& missing : plan.missing)
    text += fmt::format("left out: {} of {}, {}\n", printable(missing.stream->name),
                        printable(missing.experiment->name), printable(missing.reason));
  return text;
}

void run_bench(const BenchRequest& request) {
  const Stopwatch stopwatch;
  std::vector<bench::Experiment> experiments;
  for (const std::string& path : request.experiments) experiments.push_back(bench::read_experiment(path));
  if (std::ranges::any_of(experiments, needs_networks)) prepare_for_networks();
  bench::StreamShelf shelf(data_directory(request));
  const bench::Plan plan = bench::make_plan(experiments, shelf, request.skip_missing);

  set_threads(1);  // the runs are what goes side by side
  const bench::RunStore store(request.out);
  const bench::Outcome outcome = run_watched(request, plan, store);
  Json summary = bench::bench_summary(experiments, plan, outcome);
  write_results(request.out, experiments, plan, outcome, summary);
  if (request.json) {
    summary["out"] = request.out;
    say(json_text(summary) + "\n");
  } else if (!request.quiet) {
    say(bench::bench_tables(experiments, plan, outcome) + closing_text(request, plan, outcome, stopwatch.seconds()));
  }
  if (outcome.tally.failed)
    throw AppError{failed(fmt::format("{} of {} runs failed, see {}", outcome.tally.failed,
                                     outcome.tally.run + outcome.tally.reused,
                                     (fs::path(request.out) / "report.html").string()))};
}

}  // namespace

Command add_bench_command(CLI::App& app) {
  auto request = std::make_shared<BenchRequest>();
  auto* command = app.add_subcommand("bench", "Run experiments and write their results and one report");
  command->add_option("experiments", request->experiments, "EXPERIMENT.toml, one or more")->required();
  command->add_option("--data", request->data,
                      "Where the experiments' files are (default: the directory of the first experiment)");
  command->add_option("--out", request->out, "Where results and report go; finished runs there are used again")
      ->capture_default_str();
  add_thread_option(*command, request->threads);
  command->add_flag("--skip-missing", request->skip_missing,
                    "Leave out streams whose files, or the torch component they need, are not there");
  command->add_flag("--json", request->json, "Print the aggregates as one JSON object");
  command->add_flag("--quiet", request->quiet, "No tables, no progress");
  command->footer("Example: stad bench experiments/yearbook.toml --data ../shared/data --out results");
  return {command, [request] { run_bench(*request); }};
}

}  // namespace stad::cli
