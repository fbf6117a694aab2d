#include "bench/report/warnings.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bench/report/exhibits.hpp"
#include "common/terminal.hpp"

namespace stad::cli::bench {
namespace {

constexpr const char* kAllStreams = "all streams";

/// The sum over all rows of one method.
WarningRecord sum_of(const std::vector<WarningRow>& rows, const std::string& title) {
  WarningRecord sum;
  for (const WarningRow& row : rows)
    if (row.title == title) sum += row.record;
  return sum;
}

/// The figures of a row: steps, shares of the levels, and the numbers of wrong levels.
std::vector<std::string> figures_of(const WarningRecord& record) {
  const auto share = [&](Index count) {
    return fmt::format("{:.0f} %", 100 * static_cast<double>(count) / static_cast<double>(record.steps));
  };
  return {fmt::to_string(record.steps),  share(record.fine),
          share(record.watch),           share(record.act),
          fmt::to_string(record.missed), fmt::to_string(record.false_alarms)};
}

/// value(step) of every time step that has one, over the runs of the candidate.
template <typename Value>
Json health_line(const std::string& name, const CandidateRuns& candidate, const Value& value) {
  StepValues values;
  for (std::size_t i = 0; i < candidate.records.size(); ++i)
    for (const StepHealthRecord& step : candidate.records[i]->health)
      if (const std::optional<double> share = value(step)) values.add(step.time, candidate.plans[i], 100 * *share);
  Series series(name);
  values.fill(series);
  return series.json();
}

void add_candidate_charts(const CandidateRuns& candidate, const std::string& heading, const std::string& time_name,
                          Section& section) {
  const auto line = [&](const char* name, auto value) { return health_line(name, candidate, value); };
  section.charts.push_back(
      {{"title", heading + ": accuracy and mean confidence"},
       {"x_label", time_name},
       {"y_label", "%"},
       {"y_range", {0, 100}},
       {"series",
        {accuracy_line("accuracy", candidate, true),
         line("mean confidence", [](const StepHealthRecord& step) { return std::optional(step.confidence); })}}});
  section.charts.push_back(
      {{"title", heading + ": answers that differ from the source"},
       {"x_label", time_name},
       {"y_label", "%"},
       {"y_range", {0, 100}},
       {"series",
        {line("differ from the source", [](const StepHealthRecord& step) { return std::optional(step.flip_rate); }),
         line("label chains answer (0 or 100)", [](const StepHealthRecord& step) { return step.chains; })}}});
}

}  // namespace

std::optional<WarningRecord> warnings_of(const CandidateRuns& candidate) {
  if (!candidate.failure().empty()) return std::nullopt;
  WarningRecord sum;
  for (const RunRecord* record : candidate.records) {
    if (!record->warnings) return std::nullopt;
    sum += *record->warnings;
  }
  return sum;
}

std::vector<WarningRow> warning_rows(const Results& results) {
  std::vector<WarningRow> rows;
  results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
    for (const Index size : setting.batch_sizes)
      for (const std::string& title : results.titles()) {
        const CandidateRuns* candidate = results.shown({stream.name, setting.name, size, title, "", ""});
        if (!candidate) continue;
        if (const auto record = warnings_of(*candidate))
          rows.push_back({heading_of(stream, setting, size), title, *record});
      }
  });
  std::vector<WarningRow> all;
  for (const std::string& title : results.titles())
    if (std::ranges::any_of(rows, [&](const WarningRow& row) { return row.title == title; }))
      all.push_back({kAllStreams, title, sum_of(rows, title)});
  all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

Json warnings_json(const CandidateRuns& candidate) {
  const auto record = warnings_of(candidate);
  return record ? to_json(*record) : Json();
}

std::string warnings_text(const Results& results) {
  std::vector<std::vector<cli::Cell>> rows{
      {{"warning level"}, {"method"}, {"steps"}, {"fine"}, {"watch"}, {"act"}, {"missed"}, {"false alarms"}}};
  std::string place;
  for (const WarningRow& row : warning_rows(results)) {
    rows.push_back({{row.place == place ? "" : row.place}, {row.title}});
    for (const std::string& figure : figures_of(row.record)) rows.back().push_back({figure});
    place = row.place;
  }
  if (rows.size() == 1) return "no warning levels: no source has a card\n";
  return table(rows);
}

void add_warning_table(const Results& results, Section& section) {
  Json rows = Json::array();
  std::string place;
  for (const WarningRow& row : warning_rows(results)) {
    if (row.place != place) rows.push_back({{"heading", row.place}});
    place = row.place;
    Json cells = Json::array({row.title});
    for (const std::string& figure : figures_of(row.record)) cells.push_back(figure);
    rows.push_back(cells);
  }
  if (rows.empty()) return;
  section.tables.push_back(
      {{"caption",
        "Warning level of the time steps whose source has a card, against their labels. Missed: steps called fine "
        "whose answers lost more than 10 points of the card's accuracy. False alarms: steps called act whose answers "
        "lost nothing. The level is about the source: a method that gains over it has more false alarms."},
       {"columns", {"method", "steps", "fine", "watch", "act", "missed", "false alarms"}},
       {"rows", rows}});
}

/// Charts of the first method with health records other than the source; charts of all would be too many to read.
void add_health_charts(const Results& results, Section& section) {
  results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
    const Index size = setting.batch_sizes.front();
    for (const std::string& title : results.titles()) {
      const CandidateRuns* candidate = results.shown({stream.name, setting.name, size, title, "", ""});
      if (!candidate || results.is_source(title) || candidate->records.front()->health.empty()) continue;
      return add_candidate_charts(*candidate, fmt::format("{}, {}", title, heading_of(stream, setting, size)),
                                  stream.time_name, section);
    }
  });
}

}  // namespace stad::cli::bench
