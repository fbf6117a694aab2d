#include <algorithm>

#include <fmt/format.h>

#include "bench/report/exhibits.hpp"

namespace stad::cli::bench {
namespace {

/// Adds the mean over time steps as a note, because the paper does not state which of the two means it reports.
FigureEntry accuracy_entry(const CandidateRuns* candidate) {
  FigureEntry entry = entry_of(candidate);
  if (!candidate || !entry.figure) return entry;
  const std::string steps = fmt::format("steps {:.2f}", candidate->figure(step_mean_percent).mean);
  entry.note = entry.note.empty() ? steps : steps + "\n" + entry.note;
  const PlannedRun& run = *candidate->plans.front();
  if (const std::string limits = limits_text(*run.method, *run.stream, *run.setting); !limits.empty())
    entry.note += "\n" + limits;
  return entry;
}

FigureColumn measured_column(const Results& results, CellKey key, const std::string& title, Protocol protocol) {
  FigureColumn column{title, {}};
  for (const std::string& method : results.titles()) {
    key.title = method;
    const ResultCell* cell = results.cells.find(key);
    column.entries.push_back(accuracy_entry(cell ? cell->chosen(protocol) : nullptr));
  }
  return column;
}

/// The published figures; no entries at all if there are none.
FigureColumn published_column(const Results& results, const CellKey& key) {
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
      block.columns.push_back(measured_column(results, key, name_of(protocol), protocol));
  if (!missing && !choices) block.columns.push_back(measured_column(results, key, "this run", Protocol::kLabelFree));
  if (auto paper = published_column(results, key); !paper.entries.empty()) block.columns.push_back(std::move(paper));
  return block;
}

constexpr char kCaption[] =
    "Accuracy in % over all samples, mean ± deviation over networks and corruptions (over orders with one network). "
    "Below: the mean over time steps, and the mean of the worst tenth of the runs. Coloured against the source of the "
    "same column; best bold, second underlined.";

/// Stream, setting, batch size and swept value.
std::string location_of(const CellKey& key) {
  std::string text = fmt::format("{}, {}, batches of {}", key.stream, key.setting, key.batch_size);
  if (!key.sweep_option.empty()) text += fmt::format(", {} = {}", key.sweep_option, key.sweep_value);
  return text;
}

/// A table of the options chosen with labels.
void add_choices(const Results& results, Section& section) {
  Json rows = Json::array();
  for (const auto& [key, cell] : results.cells.all())
    if (const CandidateRuns* best = cell.has_grid() ? cell.chosen(Protocol::kBestWithLabels) : nullptr)
      rows.push_back(Json::array({key.title, location_of(key), best->choice.empty() ? "defaults" : best->choice}));
  if (!rows.empty())
    section.tables.push_back({{"caption", "Options chosen with labels"},
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

Json time_lines(const Results& results, const StreamSpec& stream, const SettingSpec& setting, Index batch_size) {
  Json lines = Json::array();
  for (const std::string& title : results.titles()) {
    const CandidateRuns* candidate = results.shown({stream.name, setting.name, batch_size, title, "", ""});
    if (candidate) lines.push_back(accuracy_line(title, *candidate, results.is_source(title)));
  }
  return lines;
}

Json size_lines(const Results& results, const StreamSpec& stream, const SettingSpec& setting) {
  Json lines = Json::array();
  for (const std::string& title : results.titles()) {
    Series series(title, results.is_source(title));
    for (const Index size : setting.batch_sizes)
      if (const CandidateRuns* candidate = results.shown({stream.name, setting.name, size, title, "", ""}))
        series.add(static_cast<double>(size), candidate->figure(pooled_percent));
    if (!series.empty()) lines.push_back(series.json());
  }
  return lines;
}

}  // namespace

std::vector<AccuracyBlock> accuracy_blocks(const Results& results) {
  std::vector<AccuracyBlock> blocks;
  for (const StreamSpec& stream : results.experiment.streams)
    for (const SettingSpec& setting : results.experiment.settings) {
      if (!applies(setting, stream)) continue;
      for (const Index size : setting.batch_sizes) {
        blocks.push_back(block_of(results, {stream.name, setting.name, size, "", "", ""},
                                  heading_of(stream, setting, size), results.is_missing(stream)));
        if (blocks.back().columns.empty()) blocks.pop_back();
      }
    }
  return blocks;
}

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

void add_over_time_charts(const Results& results, Section& section) {
  results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
    for (const Index size : setting.batch_sizes) {
      const Json lines = time_lines(results, stream, setting, size);
      if (lines.empty()) continue;
      section.charts.push_back(
          accuracy_chart(results, stream, setting, heading_of(stream, setting, size), stream.time_name, lines));
      for (const auto& [stamp, name] : stream.step_names)
        section.charts.back()["x_names"].push_back(Json::array({number_or_text(stamp), name}));
    }
  });
}

void add_batch_size_charts(const Results& results, Section& section) {
  results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
    const Json lines = size_lines(results, stream, setting);
    if (lines.empty()) return;
    section.charts.push_back(
        accuracy_chart(results, stream, setting, heading_of(stream, setting), "batch size", lines));
    section.charts.back()["x_scale"] = "log";
  });
}

}  // namespace stad::cli::bench
