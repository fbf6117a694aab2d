#include <algorithm>

#include <fmt/format.h>

#include "bench/report/gains.hpp"
#include "common/terminal.hpp"

namespace stad::cli::bench {
namespace {

using Line = std::vector<cli::Cell>;

Json place_json(const GainRow& row) {
  return {{"stream", row.stream->name},
          {"setting", row.setting->name},
          {"order", name_of(row.setting->order)},
          {"batch_size", row.batch_size}};
}

Json column_json(const GainColumn& column) {
  return {{"title", column.is_best_of_all() ? Json() : Json(column.title)},
          {"best_of_all", column.is_best_of_all()},
          {"protocol", name_of(column.protocol)}};
}

Json entry_json(const GainColumn& column, const GainEntry& entry) {
  Json json = column_json(column);
  json["failure"] = entry.failure;
  json["gain"] = entry.gain ? Json(entry.gain->mean()) : Json();
  json["least"] = entry.gain ? Json(entry.gain->least()) : Json();
  json["members"] = entry.gain ? Json(entry.gain->members) : Json();
  json["worse"] = entry.gain && is_worse(entry.gain->mean());
  if (column.is_best_of_all() && entry.gain) json["title"] = entry.gain->title;
  json["choice"] = entry.gain ? Json(entry.gain->choice) : Json();
  return json;
}

Json row_json(const GainTable& table, const GainRow& row) {
  Json json = place_json(row);
  json["source_accuracy"] = row.source ? Json(*row.source / 100) : Json();
  json["methods"] = Json::array();
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    json["methods"].push_back(entry_json(table.columns[c], row.entries[c]));
  return json;
}

Json summary_json(const GainTable& table, std::size_t column) {
  const GainSummary sum = table.summarise(column);
  const auto figure = [&](double value) { return sum.cells ? Json(value) : Json(); };
  Json json = column_json(table.columns[column]);
  json["mean"] = figure(sum.mean);
  for (const auto& [setting, mean] : sum.by_setting) json["mean_by_setting"][setting] = mean ? Json(*mean) : Json();
  json["least_cell"] = figure(sum.least_cell);
  json["least_cell_at"] = sum.least_row ? place_json(*sum.least_row) : Json();
  json["least_member"] = figure(sum.least_member);
  json["cells"] = sum.cells;
  json["cells_worse"] = sum.cells_worse;
  json["members"] = sum.members;
  json["members_worse"] = sum.members_worse;
  json["members_harmed"] = sum.members_harmed;
  return json;
}

/// A star marks options chosen with labels.
std::string heading_of(const GainColumn& column) {
  const std::string title = column.shown_title();
  return column.protocol == Protocol::kBestWithLabels ? title + "*" : title;
}

/// The exclamation mark is for terminals without colour.
cli::Cell gain_cell(double gain) {
  return {gain_text(gain) + (is_worse(gain) ? "!" : " "), is_worse(gain) ? Tone::kWorse : Tone::kPlain};
}

/// Only methods without a choice of options show their least member, to keep the table narrow.
bool shows_least(const GainColumn& column) { return column.protocol == Protocol::kLabelFree && !column.had_choice; }

Line heading_line(const GainTable& table) {
  Line line{{""}, {"source "}};
  for (const GainColumn& column : table.columns) {
    line.push_back({heading_of(column) + " "});
    if (shows_least(column)) line.push_back({"least "});
  }
  return line;
}

Line row_line(const GainTable& table, const GainRow& row) {
  Line line{{fmt::format("{}, {}", row.stream->name, name_of(row))},
            {row.source ? fmt::format("{:.2f} ", *row.source) : "failed "}};
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const GainEntry& entry = row.entries[c];
    const cli::Cell none{entry.failure.empty() ? "" : "failed ", Tone::kWorse};
    line.push_back(entry.gain ? gain_cell(entry.gain->mean()) : none);
    if (shows_least(table.columns[c])) line.push_back(entry.gain ? gain_cell(entry.gain->least()) : cli::Cell{""});
  }
  return line;
}

Line summary_heading(const GainTable& table, const std::string& below) {
  Line line{{"gain over the source"}, {"mean "}};
  for (const auto& [setting, mean] : table.summarise(0).by_setting) line.push_back({setting + " "});
  line.insert(line.end(), {{"least cell "}, {below}, {"least member "}, {below}, {fmt::format("below -{}", kHarm)}});
  return line;
}

Line summary_line(const GainTable& table, std::size_t column) {
  const GainSummary sum = table.summarise(column);
  Line line{{heading_of(table.columns[column])}};
  if (sum.cells == 0) return line;
  line.push_back(gain_cell(sum.mean));
  for (const auto& [setting, mean] : sum.by_setting) line.push_back(mean ? gain_cell(*mean) : cli::Cell{""});
  line.push_back(gain_cell(sum.least_cell));
  line.push_back({fmt::format("{} of {}", sum.cells_worse, sum.cells)});
  line.push_back(gain_cell(sum.least_member));
  line.push_back({fmt::format("{} of {}", sum.members_worse, sum.members)});
  line.push_back({std::to_string(sum.members_harmed)});
  return line;
}

/// With a typographic minus sign.
std::string typeset(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

Json gain_value(double gain) {
  Json cell{{"text", typeset(gain_text(gain))}};
  if (is_worse(gain)) cell["tone"] = "worse";
  return cell;
}

Json page_cell(const GainEntry& entry, const GainColumn& column) {
  if (!entry.failure.empty()) return {{"text", "failed"}, {"tone", "worse"}, {"note", entry.failure}};
  if (!entry.gain) return {{"text", "–"}, {"tone", "faint"}};
  const Gain& gain = *entry.gain;
  Json cell = gain_value(gain.mean());
  std::string note = column.is_best_of_all() ? gain.title : "";
  if (gain.members.size() > 1)
    note += fmt::format("{}least\u00A0{}", note.empty() ? "" : "\n", typeset(gain_text(gain.least())));
  if (!note.empty()) cell["note"] = note;
  if (is_worse(gain.least())) cell["note_tone"] = "worse";
  return cell;
}

Json row_cells(const GainTable& table, const GainRow& row) {
  Json cells = Json::array({fmt::format("{}, {}", row.setting->name, row.batch_size),
                            row.source ? Json(fmt::format("{:.2f}", *row.source)) : Json("failed")});
  for (std::size_t c = 0; c < table.columns.size(); ++c) cells.push_back(page_cell(row.entries[c], table.columns[c]));
  return cells;
}

Json gains_by_row(const GainTable& table) {
  Json groups = Json::array({{{"title", ""}, {"span", 2}}});
  Json columns = Json::array({"setting, batch size", "source"});
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const GainColumn& column = table.columns[c];
    columns.push_back(name_of(column.protocol));
    if (c > 0 && column.title == table.columns[c - 1].title)
      groups.back()["span"] = 2;
    else
      groups.push_back({{"title", column.shown_title()}, {"span", 1}});
  }
  Json rows = Json::array();
  const StreamSpec* stream = nullptr;
  for (const GainRow& row : table.rows) {
    if (row.stream != stream) rows.push_back({{"heading", row.stream->name}});
    stream = row.stream;
    rows.push_back(row_cells(table, row));
  }
  return {
      {"caption", fmt::format("Accuracy of the source in %, and the gain of each method over it in points: the mean "
                              "over networks, corruptions or seeds, and below it the least gain of any of them. "
                              "Gains below −{} are marked.",
                              kGainTolerance)},
      {"groups", groups},
      {"columns", columns},
      {"rows", rows}};
}

std::string share_text(Index part, Index whole) { return fmt::format("{} of {}", part, whole); }

Json summary_row(const GainTable& table, std::size_t column) {
  const GainColumn& own = table.columns[column];
  const GainSummary sum = table.summarise(column);
  Json row = Json::array({{{"text", own.shown_title()}, {"note", name_of(own.protocol)}}});
  if (sum.cells == 0) return row;
  row.push_back(gain_value(sum.mean));
  for (const auto& [setting, mean] : sum.by_setting) row.push_back(mean ? gain_value(*mean) : Json());
  row.push_back(gain_value(sum.least_member));
  row.push_back(share_text(sum.members_worse, sum.members));
  row.push_back(std::to_string(sum.members_harmed));
  row.push_back(gain_value(sum.least_cell));
  row.push_back(share_text(sum.cells_worse, sum.cells));
  row.push_back(fmt::format("{}, {}", sum.least_row->stream->name, name_of(*sum.least_row)));
  return row;
}

Json gains_over_rows(const GainTable& table) {
  Json rows = Json::array();
  for (std::size_t c = 0; c < table.columns.size(); ++c) rows.push_back(summary_row(table, c));
  Json columns = Json::array({"method", "mean gain"});
  for (const auto& [setting, mean] : table.summarise(0).by_setting) columns.push_back(setting);
  for (const char* name : {"least member", "worse", "harmed", "least cell", "worse", "where it is"})
    columns.push_back(name);
  return {
      {"caption", fmt::format("Gains over the source in points, over all streams, settings and batch sizes. Members "
                              "are networks, corruptions or seeds; a cell is their mean. Gains below −{} count as "
                              "worse and are marked, members below −{} as harmed.",
                              kGainTolerance, kHarm)},
      {"columns", columns},
      {"rows", rows}};
}

}  // namespace

Json gains_json(const Results& results) {
  const GainTable table = gain_table(results);
  Json rows = Json::array(), summary = Json::array();
  for (const GainRow& row : table.rows) rows.push_back(row_json(table, row));
  for (std::size_t c = 0; c < table.columns.size(); ++c) summary.push_back(summary_json(table, c));
  return {{"experiment", results.experiment.name},
          {"unit", "points"},
          {"tolerance", kGainTolerance},
          {"rows", rows},
          {"summary", summary}};
}

std::string gains_text(const Results& results) {
  const GainTable gains = gain_table(results);
  const std::string below = fmt::format("below -{}", kGainTolerance);
  std::vector<Line> rows{heading_line(gains)};
  for (const GainRow& row : gains.rows) rows.push_back(row_line(gains, row));
  std::vector<Line> summary{summary_heading(gains, below)};
  for (std::size_t c = 0; c < gains.columns.size(); ++c) summary.push_back(summary_line(gains, c));
  return fmt::format("{}\n{}* best with labels; ! {} points\n", cli::table(rows), cli::table(summary), below);
}

void add_gain_tables(const Results& results, Section& section) {
  const GainTable table = gain_table(results);
  if (table.rows.empty()) return;
  section.tables.push_back(gains_over_rows(table));  // the short table first
  section.tables.push_back(gains_by_row(table));
}

}  // namespace stad::cli::bench
