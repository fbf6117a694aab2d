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

#include "bench/comparison.hpp"
#include "bench/report/bench_report.hpp"
#include "bench/run/run_all.hpp"
#include "cli/command.hpp"
#include "cli/network.hpp"
#include "cli/options.hpp"
#include "cli/report_page.hpp"
#include "common/progress.hpp"
#include "common/terminal.hpp"

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

/// --data, or the directory of the first experiment.
std::string data_directory(const BenchRequest& request) {
  if (request.data.empty()) return fs::path(request.experiments.front()).parent_path().string();
  std::error_code ignored;
  if (!fs::is_directory(request.data, ignored)) reject(fmt::format("--data {}: is not a directory", request.data));
  return request.data;
}

bool needs_networks(const bench::Experiment& experiment) {
  return std::ranges::any_of(experiment.streams, [](const auto& stream) { return !stream.models.empty(); });
}

bench::Outcome run_with_progress(const BenchRequest& request, const bench::Plan& plan, const bench::RunStore& store) {
  const InterruptionWatch watch;
  try {
    return bench::run_all(plan, store, request.threads, !request.quiet, watch);
  } catch (const Interrupted&) {
    std::fprintf(stderr, "stad: interrupted; finished runs are kept in %s, the same command continues from there\n",
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

std::string outcome_text(const BenchRequest& request, const bench::Plan& plan, const bench::Outcome& outcome,
                         double seconds) {
  std::string text = fmt::format("{} runs in {:.1f} s, {} reused from earlier results", outcome.counts.run, seconds,
                                 outcome.counts.reused);
  if (outcome.counts.failed) text += fmt::format(", {} failed", outcome.counts.failed);
  text += fmt::format(". Report: {}\n", printable((fs::path(request.out) / "report.html").string()));
  for (const auto& missing : plan.missing)
    text += fmt::format("skipped: {} of {}, {}\n", printable(missing.stream->name), printable(missing.experiment->name),
                        printable(missing.reason));
  return text;
}

void run_bench(const BenchRequest& request) {
  const WallTimer stopwatch;
  std::vector<bench::Experiment> experiments;
  for (const std::string& path : request.experiments) experiments.push_back(bench::read_experiment(path));
  if (std::ranges::any_of(experiments, needs_networks)) prepare_for_networks();
  bench::StreamLoader loader(data_directory(request));
  const bench::Plan plan = bench::make_plan(experiments, loader, request.skip_missing);

  set_threads(1);  // parallelism is over runs
  const bench::RunStore store(request.out);
  const bench::Outcome outcome = run_with_progress(request, plan, store);
  Json summary = bench::bench_summary(experiments, plan, outcome);
  write_results(request.out, experiments, plan, outcome, summary);
  if (request.json) {
    summary["out"] = request.out;
    write_output(json_text(summary) + "\n");
  } else if (!request.quiet) {
    write_output(bench::bench_tables(experiments, plan, outcome) +
                 outcome_text(request, plan, outcome, stopwatch.seconds()));
  }
  if (outcome.counts.failed)
    throw AppError{failed(fmt::format("{} of {} runs failed, see {}", outcome.counts.failed,
                                      outcome.counts.run + outcome.counts.reused,
                                      (fs::path(request.out) / "report.html").string()))};
}

struct CompareRequest {
  std::string a;
  std::string b;
  bool json = false;
  bool fail_if_worse = false;
};

/// --fail-if-worse: fails where a cell is significantly worse, or could not be compared.
void check_not_worse(const CompareRequest& request, const bench::Comparison& comparison) {
  const auto is_worse = [](const auto& cell) { return cell.significant() && cell.accuracy_b < cell.accuracy_a; };
  if (const auto worse = std::count_if(comparison.cells.begin(), comparison.cells.end(), is_worse))
    throw AppError{
        failed(fmt::format("{} cells of {} are significantly worse than in {}", worse, request.b, request.a))};
  if (comparison.cells.empty() || !comparison.only_a.empty())
    throw AppError{failed(
        fmt::format("{} cells of {} have no counterpart in {}", comparison.only_a.size(), request.a, request.b))};
}

void compare(const CompareRequest& request) {
  const auto comparison = bench::compare_results(request.a, request.b);
  write_output(request.json ? json_text(bench::comparison_json(comparison)) + "\n"
                            : bench::comparison_text(comparison));
  if (request.fail_if_worse) check_not_worse(request, comparison);
}

}  // namespace

Command add_bench_command(CLI::App& app) {
  auto request = std::make_shared<BenchRequest>();
  auto* command = app.add_subcommand("bench", "Run experiments, write their results and an HTML report");
  command->add_option("experiments", request->experiments, "One or more EXPERIMENT.toml files")->required();
  command->add_option("--data", request->data,
                      "Directory of the data files (default: the directory of the first experiment)");
  command->add_option("--out", request->out, "Directory of results and report; finished runs in it are reused")
      ->capture_default_str();
  add_thread_option(*command, request->threads);
  command->add_flag("--skip-missing", request->skip_missing,
                    "Skip streams whose files, or the torch component they need, are missing");
  command->add_flag("--json", request->json, "Print the aggregates as one JSON object");
  command->add_flag("--quiet", request->quiet, "No tables, no progress");
  command->footer("Example: stad bench experiments/yearbook.toml --data ../shared/data --out results");
  return {command, [request] { run_bench(*request); }};
}

Command add_compare_command(CLI::App& app) {
  auto request = std::make_shared<CompareRequest>();
  auto* command =
      app.add_subcommand("compare", "Compare two results of stad bench and test which differences are significant");
  command->add_option("A", request->a, "Output directory of stad bench")->required();
  command->add_option("B", request->b, "Output directory to compare with A")->required();
  command->add_flag("--json", request->json, "Print one JSON object");
  command->add_flag("--fail-if-worse", request->fail_if_worse,
                    "Exit with 1 if B is significantly worse in any cell, or lacks a cell of A");
  command->footer(
      "Differences are of pooled accuracy. Intervals and p values come from a paired bootstrap over time steps,\n"
      "p adjusted by Holm's method over all cells that changed. Better and worse mean an adjusted p below 0.05, which\n"
      "needs at least six time steps. Options chosen with labels are chosen before the comparison.\n"
      "Example: stad compare results-before results-after");
  return {command, [request] { compare(*request); }};
}

}  // namespace stad::cli
