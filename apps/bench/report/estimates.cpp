#include "bench/report/estimates.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/terminal.hpp"

namespace stad::cli::bench {
namespace {

constexpr const char* kEverywhere = "mean of all";

/// The mean over places of one method.
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

}  // namespace

std::optional<EstimateFigures> estimate_figures(const Candidate& candidate) {
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
        const Candidate* candidate = results.shown({stream.name, setting.name, size, title, "", ""});
        if (!candidate) continue;
        if (const auto figures = estimate_figures(*candidate))
          rows.push_back({heading_of(stream, setting, size), title, *figures});
      }
  });
  std::vector<EstimateRow> all;
  for (const std::string& title : results.titles())
    if (std::ranges::any_of(rows, [&](const EstimateRow& row) { return row.title == title; }))
      all.push_back({kEverywhere, title, mean_of(rows, title)});
  all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

Json estimate_json(const Candidate& candidate) {
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
        "Accuracy estimated without labels: how far it is off, in points on average over time steps, beside what "
        "methods believe of themselves (mean confidence); and how often the accuracy lies in the interval given"},
       {"columns", {"method", "accuracy in %", "estimate off by", "confidence off by", "in the interval"}},
       {"rows", rows}});
}

}  // namespace stad::cli::bench
