#include <algorithm>

#include <fmt/format.h>

#include "bench/report/cells.hpp"
#include "bench/report/exhibits.hpp"

namespace stad::cli::bench {
namespace {

/// The time steps of a stream within its bounds; without data, those with published figures.
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

FigureEntry measured_entry(const StreamSpec& stream, const CandidateRuns* candidate, const std::string& step) {
  FigureEntry entry;
  if (!candidate) return entry;
  std::vector<double> values;
  for (const RunRecord* record : candidate->records)
    for (const StepScore& score : record->steps)
      if (step_name(stream, score.time) == step) values.push_back(score.percent());
  if (values.size() == candidate->plans.size()) entry.figure = figure_of(candidate->plans, values);
  return entry;
}

/// One column for every step and one for their mean, of measured or of published figures.
std::vector<FigureColumn> step_columns(const Results& results, const StreamSpec& stream, const CellKey& key,
                                       const std::vector<std::string>& steps, bool published) {
  std::vector<FigureColumn> columns;
  auto names = steps;
  names.emplace_back("mean");
  for (const std::string& step : names) {
    columns.push_back({step, {}});
    for (const std::string& title : results.titles()) {
      CellKey own = key;
      own.title = title;
      const CandidateRuns* candidate = results.shown(own);
      FigureEntry entry;
      if (published)
        entry = entry_of(results.experiment.published({key.stream, key.setting, title, step}));
      else
        entry = step == "mean" ? entry_of(candidate, step_mean_percent) : measured_entry(stream, candidate, step);
      entry.note.clear();
      entry.is_source = results.is_source(title);
      columns.back().entries.push_back(entry);
    }
  }
  return columns;
}

/// @param name makes the first cell of a row from a title
template <typename Name>
void add_step_rows(const Results& results, const std::string& heading, const std::vector<FigureColumn>& columns,
                   Name name, Json& rows) {
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
  if (rows.back().contains("heading")) rows.erase(rows.size() - 1);  // no rows below it
}

}  // namespace

void add_time_step_tables(const Results& results, Section& section) {
  for (const StreamSpec& stream : results.experiment.streams)
    for (const SettingSpec& setting : results.experiment.settings) {
      const auto steps = steps_of(results, stream, setting);
      const CellKey key{stream.name, setting.name, setting.batch_sizes.front(), "", "", ""};
      Json rows = Json::array();
      const auto measured = [&](const std::string& title) { return results.title_cell(title, stream, setting); };
      const auto published = [](const std::string& title) { return Json(title); };
      add_step_rows(results, "this run", step_columns(results, stream, key, steps, false), measured, rows);
      add_step_rows(results, "paper", step_columns(results, stream, key, steps, true), published, rows);
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
