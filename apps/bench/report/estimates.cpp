#include "bench/report/estimates.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bench/report/exhibits.hpp"
#include "common/terminal.hpp"

namespace stad::cli::bench {
namespace {

constexpr const char* kMeanOfAll = "mean of all";

/// The mean over all rows of one method.
EstimateFigures mean_of(const std::vector<EstimateRow>& rows, const std::string& title) {
  EstimateFigures mean;
  double count = 0;
  for (const EstimateRow& row : rows) {
    if (row.title != title) continue;
    mean.accuracy += row.figures.accuracy;
    mean.estimate += row.figures.estimate;
    mean.confidence += row.figures.confidence;
    mean.covered += row.figures.covered;
    ++count;
  }
  return {mean.accuracy / count, mean.estimate / count, mean.confidence / count, mean.covered / count};
}

/// value(step) of every time step that has one, over the runs of the candidate.
template <typename Value>
Json health_line(const std::string& name, const CandidateRuns& candidate, const Value& value) {
  StepValues values;
  for (std::size_t i = 0; i < candidate.records.size(); ++i)
    for (const StepHealthRecord& step : candidate.records[i]->health)
      if (const std::optional<double> number = value(step)) values.add(step.time, candidate.plans[i], *number);
  Series series(name);
  values.fill(series);
  return series.json();
}

std::optional<double> percent(std::optional<double> share) {
  return share ? std::optional(100 * *share) : std::nullopt;
}

void add_candidate_charts(const CandidateRuns& candidate, const std::string& heading, const std::string& time_name,
                          Section& section) {
  const auto line = [&](const char* name, auto value) { return health_line(name, candidate, value); };
  section.charts.push_back(
      {{"title", heading + ": accuracy and its estimate"},
       {"x_label", time_name},
       {"y_label", "accuracy in %"},
       {"y_range", {0, 100}},
       {"series",
        {accuracy_line("accuracy", candidate, true),
         line("estimated", [](const StepHealthRecord& step) { return percent(step.estimate); }),
         line("least", [](const StepHealthRecord& step) { return percent(step.low); }),
         line("most", [](const StepHealthRecord& step) { return percent(step.high); }),
         line("mean confidence", [](const StepHealthRecord& step) { return percent(step.confidence); })}}});
  section.charts.push_back(
      {{"title", heading + ": trust, and predictions that differ from the source"},
       {"x_label", time_name},
       {"y_label", "%"},
       {"y_range", {0, 100}},
       {"series",
        {line("differ from the source", [](const StepHealthRecord& step) { return percent(step.flip_rate); }),
         line("trust", [](const StepHealthRecord& step) { return percent(step.trust); })}}});
  section.charts.push_back({{"title", heading + ": prototypes"},
                            {"x_label", time_name},
                            {"y_label", "degrees"},
                            {"series",
                             {line("moved from the source", [](const StepHealthRecord& step) { return step.movement; }),
                              line("dispersion", [](const StepHealthRecord& step) { return step.dispersion; })}}});
}

}  // namespace

std::optional<EstimateFigures> estimate_figures(const CandidateRuns& candidate) {
  if (!candidate.failure().empty()) return std::nullopt;
  EstimateFigures sum;
  for (const RunRecord* record : candidate.records) {
    if (!record->estimate_errors) return std::nullopt;
    sum.accuracy += pooled_percent(*record);
    sum.estimate += 100 * record->estimate_errors->estimate;
    sum.confidence += 100 * record->estimate_errors->confidence;
    sum.covered += 100 * record->estimate_errors->covered;
  }
  const auto runs = static_cast<double>(candidate.records.size());
  return EstimateFigures{sum.accuracy / runs, sum.estimate / runs, sum.confidence / runs, sum.covered / runs};
}

std::vector<EstimateRow> estimate_rows(const Results& results) {
  std::vector<EstimateRow> rows;
  results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
    for (const Index size : setting.batch_sizes)
      for (const std::string& title : results.titles()) {
        const CandidateRuns* candidate = results.shown({stream.name, setting.name, size, title, "", ""});
        if (!candidate) continue;
        if (const auto figures = estimate_figures(*candidate))
          rows.push_back({heading_of(stream, setting, size), title, *figures});
      }
  });
  std::vector<EstimateRow> all;
  for (const std::string& title : results.titles())
    if (std::ranges::any_of(rows, [&](const EstimateRow& row) { return row.title == title; }))
      all.push_back({kMeanOfAll, title, mean_of(rows, title)});
  all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

Json estimate_json(const CandidateRuns& candidate) {
  const auto figures = estimate_figures(candidate);
  if (!figures) return {};
  return {{"error", figures->estimate / 100},
          {"confidence_error", figures->confidence / 100},
          {"covered", figures->covered / 100}};
}

std::string estimates_text(const Results& results) {
  std::vector<std::vector<cli::Cell>> rows{
      {{"error of the estimated accuracy"}, {"method"}, {"accuracy"}, {"estimate"}, {"confidence"}, {"covered"}}};
  std::string place;
  for (const EstimateRow& row : estimate_rows(results)) {
    const EstimateFigures& figures = row.figures;
    rows.push_back({{row.place == place ? "" : row.place},
                    {row.title},
                    {fmt::format("{:.1f}", figures.accuracy)},
                    {fmt::format("{:.1f}", figures.estimate)},
                    {fmt::format("{:.1f}", figures.confidence)},
                    {fmt::format("{:.0f} %", figures.covered)}});
    place = row.place;
  }
  return table(rows);
}

void add_estimate_table(const Results& results, Section& section) {
  Json rows = Json::array();
  std::string place;
  for (const EstimateRow& row : estimate_rows(results)) {
    if (row.place != place) rows.push_back({{"heading", row.place}});
    place = row.place;
    const EstimateFigures& figures = row.figures;
    const bool closer = figures.estimate < figures.confidence;
    rows.push_back(Json::array({row.title, fmt::format("{:.1f}", figures.accuracy),
                                Json{{"text", fmt::format("{:.1f}", figures.estimate)}, {"rank", closer ? 1 : 0}},
                                Json{{"text", fmt::format("{:.1f}", figures.confidence)}, {"rank", closer ? 0 : 1}},
                                fmt::format("{:.0f} %", figures.covered)}));
  }
  if (rows.empty()) return;
  section.tables.push_back(
      {{"caption",
        "Error of the accuracy estimated without labels, in points, mean over time steps; beside it the error of the "
        "mean confidence of the method; and how often the accuracy lies in the estimated interval"},
       {"columns", {"method", "accuracy in %", "error of the estimate", "error of the confidence", "in the interval"}},
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
