#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bench/comparison.hpp"
#include "cli/command.hpp"
#include "common/terminal.hpp"

namespace stad::cli {
namespace {

struct CompareRequest {
  std::string a;
  std::string b;
  bool json = false;
  bool fail_if_worse = false;
};

/// A gate: what is worse does not pass, nor does what cannot be told.
void check_gate(const CompareRequest& request, const bench::Comparison& comparison) {
  const auto fell = [](const auto& cell) { return cell.significant() && cell.accuracy_b < cell.accuracy_a; };
  if (const auto worse = std::count_if(comparison.cells.begin(), comparison.cells.end(), fell))
    throw AppError{
        failed(fmt::format("{} cells of {} are significantly worse than in {}", worse, request.b, request.a))};
  if (comparison.cells.empty() || !comparison.only_a.empty())
    throw AppError{failed(fmt::format("{} cells of {} have nothing to compare with in {}", comparison.only_a.size(),
                                     request.a, request.b))};
}

void compare(const CompareRequest& request) {
  const auto comparison = bench::compare_results(request.a, request.b);
  say(request.json ? json_text(bench::comparison_json(comparison)) + "\n" : bench::comparison_text(comparison));
  if (request.fail_if_worse) check_gate(request, comparison);
}

}  // namespace

Command add_compare_command(CLI::App& app) {
  auto request = std::make_shared<CompareRequest>();
  auto* command = app.add_subcommand("compare", "What changed between two results of stad bench, with significance");
  command->add_option("A", request->a, "A directory that stad bench wrote")->required();
  command->add_option("B", request->b, "Another one")->required();
  command->add_flag("--json", request->json, "Print one JSON object");
  command->add_flag("--fail-if-worse", request->fail_if_worse,
                    "Exit with 1 where B is significantly worse somewhere, or lacks a cell of A");
  command->footer(
      "Differences are of pooled accuracy. Intervals and p values come from a paired bootstrap over time steps,\n"
      "p adjusted by Holm over all cells that changed. Better and worse mean an adjusted p below 0.05, which takes\n"
      "at least six time steps. What was best with labels is compared after that choice.\n"
      "Example: stad compare results-before results-after");
  return {command, [request] { compare(*request); }};
}

}  // namespace stad::cli
