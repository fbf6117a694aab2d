#include <cmath>

#include <fmt/format.h>

#include "bench/comparison.hpp"
#include "common/terminal.hpp"

namespace stad::cli::bench {
namespace {

constexpr double kPrintedDifference = 5e-5;  // smaller differences do not show in the printed digits

bool moved(const ChangedCell& cell) { return std::abs(cell.accuracy_b - cell.accuracy_a) >= kPrintedDifference; }

std::string interval_text(const ChangedCell& cell) {
  if (!cell.difference) return "one time step";
  return fmt::format("{:+.2f} to {:+.2f}", 100 * cell.difference->low, 100 * cell.difference->high);
}

std::vector<Cell> row_of(const ChangedCell& cell) {
  const double change = cell.accuracy_b - cell.accuracy_a;
  const Tone tone = !cell.significant() ? Tone::kPlain : change > 0 ? Tone::kBetter : Tone::kWorse;
  return {{fmt::format("{}: {} on {}, {}, {}", cell.experiment, cell.title, cell.stream, cell.setting, cell.detail)},
          {fmt::format("{:.2f}", 100 * cell.accuracy_a)},
          {fmt::format("{:.2f}", 100 * cell.accuracy_b)},
          {fmt::format("{:+.2f}", 100 * change), tone},
          {interval_text(cell)},
          {cell.difference ? fmt::format("{:.4f}", cell.adjusted_p) : "–"},
          {cell.significant() ? (change > 0 ? "better" : "worse") : "", tone},
          {cell.protocol},
          {cell.changed_options, Tone::kFaint}};
}

std::string list_text(const std::string& heading, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += fmt::format("{}: {}\n", heading, printable(name));
  return text;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::vector<std::vector<Cell>> rows{
      {{"accuracy in %"}, {"A"}, {"B"}, {"B - A"}, {"95 % interval"}, {"p (Holm)"}, {""}, {"protocol"}, {"options"}}};
  std::size_t unchanged = 0;
  for (const ChangedCell& cell : comparison.cells) {
    if (moved(cell) || !cell.changed_options.empty())
      rows.push_back(row_of(cell));
    else
      ++unchanged;
  }
  std::string text;
  if (rows.size() > 1) text += table(rows);
  text += fmt::format("{} of {} cells are the same in both.\n", unchanged, comparison.cells.size());
  return text + list_text("only in A", comparison.only_a) + list_text("only in B", comparison.only_b);
}

Json comparison_json(const Comparison& comparison) {
  Json cells = Json::array();
  for (const ChangedCell& cell : comparison.cells) {
    const auto part = [&](double Difference::*value) {
      return cell.difference ? Json(*cell.difference.*value) : Json();
    };
    cells.push_back({{"experiment", cell.experiment},
                     {"stream", cell.stream},
                     {"setting", cell.setting},
                     {"title", cell.title},
                     {"detail", cell.detail},
                     {"protocol", cell.protocol},
                     {"accuracy_a", cell.accuracy_a},
                     {"accuracy_b", cell.accuracy_b},
                     {"difference", cell.accuracy_b - cell.accuracy_a},
                     {"low", part(&Difference::low)},
                     {"high", part(&Difference::high)},
                     {"p_value", part(&Difference::p_value)},
                     {"adjusted_p", cell.difference ? Json(cell.adjusted_p) : Json()},
                     {"significant", cell.significant()},
                     {"changed_options", cell.changed_options}});
  }
  return {{"cells", cells}, {"only_a", comparison.only_a}, {"only_b", comparison.only_b}};
}

}  // namespace stad::cli::bench
