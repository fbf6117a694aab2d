#include <algorithm>

#include <fmt/format.h>

#include "bench/report/accuracy_blocks.hpp"

namespace stad::cli::bench {
namespace {

constexpr char kCaption[] =
    "Accuracy in % over all samples, mean ± deviation over networks and corruptions (over orders with one network). "
    "Below: the mean over time steps, and the mean of the worst tenth of the runs. Coloured against the source of the "
    "same column; best bold, second underlined.";

/// Stream, setting, and what else tells cells apart.
std::string place_of(const CellKey& key) {
  std::string place = fmt::format("{}, {}, batches of {}", key.stream, key.setting, key.batch_size);
  if (!key.sweep_option.empty()) place += fmt::format(", {} = {}", key.sweep_option, key.sweep_value);
  return place;
}

/// What the labels chose, for the reader who has none.
void add_choices(const Results& results, Section& section) {
  Json rows = Json::array();
  for (const auto& [key, cell] : results.cells.all())
    if (const Candidate* best = cell.has_grid() ? cell.chosen(Protocol::kBestWithLabels) : nullptr)
      rows.push_back(Json::array({key.title, place_of(key), best->choice.empty() ? "the defaults" : best->choice}));
  if (!rows.empty())
    section.tables.push_back({{"caption", "What the labels chose"},
                              {"columns", {"method", "stream and setting", "options"}},
                              {"rows", rows}});
}

std::string group_of(const Experiment& experiment, const std::string& title) {
  const auto is_titled = [&](const MethodSpec& method) { return method.title == title; };
  return std::find_if(experiment.methods.begin(), experiment.methods.end(), is_titled)->group;
}

Json rows_of(const Results& results, const std::vector<AccuracyBlock>& blocks) {
  Json rows = Json::array();
  std::string group;
  const auto titles = results.titles();
  for (std::size_t r = 0; r < titles.size(); ++r) {
    const std::string own = group_of(results.experiment, titles[r]);
    if (own != group) rows.push_back({{"heading", own}});
    group = own;
    Json row = Json::array({titles[r]});
    for (const AccuracyBlock& block : blocks)
      for (const FigureColumn& column : block.columns) row.push_back(page_cell(column, r));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace

void add_accuracy_table(const Results& results, Section& section) {
  const auto blocks = accuracy_blocks(results);
  Json groups = Json::array({{{"title", ""}, {"span", 1}}});
  Json columns = Json::array({"method"});
  for (const AccuracyBlock& block : blocks) {
    groups.push_back({{"title", block.heading}, {"span", block.columns.size()}});
    for (const FigureColumn& column : block.columns) columns.push_back(column.title);
  }
  section.tables.push_back(
      {{"caption", kCaption}, {"groups", groups}, {"columns", columns}, {"rows", rows_of(results, blocks)}});
  add_choices(results, section);
}

}  // namespace stad::cli::bench
