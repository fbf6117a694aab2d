#include <algorithm>

#include <fmt/format.h>

#include "bench/report/gains.hpp"

namespace stad::cli::bench {
namespace {

/// As print has it.
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

Json by_row(const GainTable& table) {
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
  return {{"caption", fmt::format("Accuracy of the source in %, and what each method gains over it in points: the mean "
                                  "over networks, corruptions or seeds, and below it the least gain of any of them. "
                                  "Marked below −{}.",
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
  row.push_back(gain_value(sum.least_cell));
  row.push_back(share_text(sum.cells_worse, sum.cells));
  row.push_back(fmt::format("{}, {}", sum.least_row->stream->name, name_of(*sum.least_row)));
  return row;
}

Json over_rows(const GainTable& table) {
  Json rows = Json::array();
  for (std::size_t c = 0; c < table.columns.size(); ++c) rows.push_back(summary_row(table, c));
  Json columns = Json::array({"method", "mean gain"});
  for (const auto& [setting, mean] : table.summarise(0).by_setting) columns.push_back(setting);
  for (const char* name : {"least member", "worse", "least cell", "worse", "where it is"}) columns.push_back(name);
  return {
      {"caption", fmt::format("Gains over the source in points, over all streams, settings and batch sizes. Members "
                              "are networks, corruptions or seeds; a cell is their mean. Worse, and marked, is what "
                              "lies below −{}.",
                              kGainTolerance)},
      {"columns", columns},
      {"rows", rows}};
}

}  // namespace

void add_gain_tables(const Results& results, Section& section) {
  const GainTable table = gain_table(results);
  if (table.rows.empty()) return;
  section.tables.push_back(over_rows(table));  // the answer first: the other is long
  section.tables.push_back(by_row(table));
}

}  // namespace stad::cli::bench
