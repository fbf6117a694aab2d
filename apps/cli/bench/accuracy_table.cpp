#include "accuracy_blocks.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace stad::cli::bench {
namespace {

FigureColumn our_column(const Results& results, CellKey key, const std::string& title, Protocol protocol) {
  FigureColumn column{title, {}};
  for (const std::string& method : results.titles()) {
    key.title = method;
    const Cell* cell = results.cells.find(key);
    column.entries.push_back(entry_of(cell ? cell->chosen(protocol) : nullptr));
  }
  return column;
}

/// The paper's figures, or no entries at all.
FigureColumn paper_column(const Results& results, const CellKey& key) {
  FigureColumn column{"paper", {}};
  bool any = false;
  for (const std::string& method : results.titles()) {
    column.entries.push_back(entry_of(results.experiment.published({key.stream, key.setting, method, ""})));
    column.entries.back().is_source = results.is_source(method);
    any = any || column.entries.back().figure;
  }
  if (!any) column.entries.clear();
  return column;
}

AccuracyBlock block_of(const Results& results, const CellKey& key, const std::string& heading, bool missing) {
  AccuracyBlock block{heading, {}};
  const bool choices = results.has_choices();
  if (!missing && choices)
    for (const Protocol protocol : {Protocol::kBestWithLabels, Protocol::kLabelFree})
      block.columns.push_back(our_column(results, key, name_of(protocol), protocol));
  if (!missing && !choices) block.columns.push_back(our_column(results, key, "this run", Protocol::kLabelFree));
  if (auto paper = paper_column(results, key); !paper.entries.empty()) block.columns.push_back(std::move(paper));
  return block;
}

/// What the labels chose, for the reader who has none.
void add_choices(const Results& results, Exhibition& section) {
  Json rows = Json::array();
  for (const auto& [key, cell] : results.cells.all())
    if (const Candidate* best = cell.has_grid() ? cell.chosen(Protocol::kBestWithLabels) : nullptr)
      rows.push_back({key.title, key.stream + ", " + key.setting, best->choice});
  if (!rows.empty())
    section.tables.push_back({{"caption", "What the labels chose"},
                              {"columns", {"method", "stream and setting", "options"}},
                              {"rows", rows}});
}

}  // namespace

std::vector<AccuracyBlock> accuracy_blocks(const Results& results) {
  std::vector<AccuracyBlock> blocks;
  for (const StreamSpec& stream : results.experiment.streams)
    for (const SettingSpec& setting : results.experiment.settings) {
      if (!setting.streams.empty() &&
          std::find(setting.streams.begin(), setting.streams.end(), stream.name) == setting.streams.end())
        continue;
      for (const Index size : setting.batch_sizes) {
        blocks.push_back(block_of(results, {stream.name, setting.name, size, "", "", ""},
                                  heading_of(stream, setting, size), results.is_missing(stream)));
        if (blocks.back().columns.empty()) blocks.pop_back();
      }
    }
  return blocks;
}

void add_accuracy_table(const Results& results, Exhibition& section) {
  const auto blocks = accuracy_blocks(results);
  Json groups{{{"title", ""}, {"span", 1}}};
  Json columns{"method"};
  for (const AccuracyBlock& block : blocks) {
    groups.push_back({{"title", block.heading}, {"span", block.columns.size()}});
    for (const FigureColumn& column : block.columns) columns.push_back(column.title);
  }
  Json rows = Json::array();
  std::string group;
  const auto titles = results.titles();
  for (std::size_t r = 0; r < titles.size(); ++r) {
    const auto entry = std::find_if(results.experiment.methods.begin(), results.experiment.methods.end(),
                                    [&](const MethodSpec& method) { return method.title == titles[r]; });
    if (entry->group != group) rows.push_back({{"heading", group = entry->group}});
    Json row{titles[r]};
    for (const AccuracyBlock& block : blocks)
      for (const FigureColumn& column : block.columns) row.push_back(page_cell(column, r));
    rows.push_back(row);
  }
  section.tables.push_back(
      {{"caption",
        "Accuracy in % over all samples, mean ± deviation over networks (over orders with one network); worst: mean of "
        "the worst tenth of the runs. Coloured against the source of the same column; best bold, second underlined."},
       {"groups", groups},
       {"columns", columns},
       {"rows", rows}});
  add_choices(results, section);
}

}  // namespace stad::cli::bench
