#include <algorithm>

#include <fmt/format.h>

#include "bench/report/exhibits.hpp"
#include "bench/report/figure_column.hpp"

namespace stad::cli::bench {
namespace {

/// The time steps of a stream between its bounds; with no data, those the paper has figures for.
std::vector<std::string> steps_of(const Results& results, const StreamSpec& stream, const SettingSpec& setting) {
  std::vector<std::string> steps;
  for (const auto& [key, cell] : results.cells.all()) {
    if (key.stream != stream.name || key.setting != setting.name) continue;
    for (const StepScore& step : cell.candidates.front().records.front()->steps)
      steps.push_back(step_name(stream, step.time));
    if (!steps.empty()) return steps;
  }
  for (const auto& [cell, figure] : results.experiment.paper_figures)
    if (cell.stream == stream.name && cell.setting == setting.name && !cell.detail.empty() && cell.detail != "mean" &&
        std::find(steps.begin(), steps.end(), cell.detail) == steps.end())
      steps.push_back(cell.detail);
  return steps;
}

Entry our_entry(const StreamSpec& stream, const Candidate* candidate, const std::string& step) {
  Entry entry;
  if (!candidate) return entry;
  std::vector<double> values;
  for (const RunRecord* record : candidate->records)
    for (const StepScore& score : record->steps)
      if (step_name(stream, score.time) == step) values.push_back(score.percent());
  if (values.size() == candidate->plans.size()) entry.figure = figure_of(candidate->plans, values);
  return entry;
}

/// One column for every step and one for their mean: of ours, or of the paper's.
std::vector<FigureColumn> columns_of(const Results& results, const StreamSpec& stream, const CellKey& key,
                                     const std::vector<std::string>& steps, bool papers) {
  std::vector<FigureColumn> columns;
  auto wanted = steps;
  wanted.push_back("mean");
  for (const std::string& step : wanted) {
    columns.push_back({step, {}});
    for (const std::string& title : results.titles()) {
      CellKey own = key;
      own.title = title;
      const Candidate* candidate = results.shown(own);
      Entry entry;
      if (papers)
        entry = entry_of(results.experiment.published({key.stream, key.setting, title, step}));
      else
        entry = step == "mean" ? entry_of(candidate, step_mean_percent) : our_entry(stream, candidate, step);
      entry.note.clear();
      entry.is_source = results.is_source(title);
      columns.back().entries.push_back(entry);
    }
  }
  return columns;
}

/// @param name makes the first cell of a row from a title
template <typename Name>
void add_rows(const Results& results, const std::string& heading, const std::vector<FigureColumn>& columns, Name name,
              Json& rows) {
  rows.push_back({{"heading", heading}});
  const auto titles = results.titles();
  for (std::size_t r = 0; r < titles.size(); ++r) {
    const bool any = std::any_of(columns.begin(), columns.end(),
                                 [&](const FigureColumn& column) { return column.entries[r].figure.has_value(); });
    if (!any) continue;
    Json row = Json::array({name(titles[r])});
    for (const FigureColumn& column : columns) row.push_back(page_cell(column, r));
    rows.push_back(row);
  }
  if (rows.back().contains("heading")) rows.erase(rows.size() - 1);  // nothing below it
}

}  // namespace

void add_time_step_tables(const Results& results, Section& section) {
  for (const StreamSpec& stream : results.experiment.streams)
    for (const SettingSpec& setting : results.experiment.settings) {
      const auto steps = steps_of(results, stream, setting);
      const CellKey key{stream.name, setting.name, setting.batch_sizes.front(), "", "", ""};
      Json rows = Json::array();
      const auto ours = [&](const std::string& title) { return results.title_cell(title, stream, setting); };
      const auto papers = [](const std::string& title) { return Json(title); };
      add_rows(results, "this run", columns_of(results, stream, key, steps, false), ours, rows);
      add_rows(results, "paper", columns_of(results, stream, key, steps, true), papers, rows);
      if (rows.empty()) continue;
      Json columns = Json::array({stream.time_name});
      for (const std::string& step : steps) columns.push_back(step);
      columns.push_back("mean");
      section.tables.push_back(
          {{"caption", fmt::format("{}: accuracy in % of each {}", heading_of(stream, setting), stream.time_name)},
           {"columns", columns},
           {"rows", rows}});
    }
}

}  // namespace stad::cli::bench
