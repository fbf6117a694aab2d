#include <fmt/format.h>

#include "bench/report/exhibits.hpp"
#include "bench/report/series.hpp"

namespace stad::cli::bench {
namespace {

/// value(step) of every time step over the candidate's runs, where it has one.
template <typename Value>
Json line(const std::string& name, const Candidate& candidate, const Value& value) {
  StepValues values;
  for (std::size_t i = 0; i < candidate.records.size(); ++i)
    for (const StepTold& step : candidate.records[i]->health)
      if (const std::optional<double> told = value(step)) values.add(step.time, candidate.plans[i], *told);
  Series series(name);
  values.fill(series);
  return series.json();
}

std::optional<double> percent(std::optional<double> share) {
  return share ? std::optional(100 * *share) : std::nullopt;
}

void add_charts(const Candidate& candidate, const std::string& heading, const std::string& time_name,
                Section& section) {
  const auto told = [&](const char* name, auto value) { return line(name, candidate, value); };
  section.charts.push_back(
      {{"title", heading + ": accuracy and its estimate"},
       {"x_label", time_name},
       {"y_label", "accuracy in %"},
       {"y_range", {0, 100}},
       {"series",
        {accuracy_line("accuracy", candidate, true),
         told("estimated", [](const StepTold& step) { return percent(step.estimate); }),
         told("least", [](const StepTold& step) { return percent(step.low); }),
         told("most", [](const StepTold& step) { return percent(step.high); }),
         told("mean confidence", [](const StepTold& step) { return percent(step.confidence); })}}});
  section.charts.push_back(
      {{"title", heading + ": trust, and answers that differ from the source's"},
       {"x_label", time_name},
       {"y_label", "%"},
       {"y_range", {0, 100}},
       {"series",
        {told("differ from the source", [](const StepTold& step) { return percent(step.flip_rate); }),
         told("trust", [](const StepTold& step) { return percent(step.trust); })}}});
  section.charts.push_back({{"title", heading + ": prototypes"},
                            {"x_label", time_name},
                            {"y_label", "degrees"},
                            {"series",
                             {told("moved from the source", [](const StepTold& step) { return step.movement; }),
                              told("dispersion", [](const StepTold& step) { return step.dispersion; })}}});
}

}  // namespace

/// Of the first method that was watched and is not the source: a page of all of them would show nothing.
void add_health_charts(const Results& results, Section& section) {
  results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
    const Index size = setting.batch_sizes.front();
    for (const std::string& title : results.titles()) {
      const Candidate* candidate = results.shown({stream.name, setting.name, size, title, "", ""});
      if (!candidate || results.is_source(title) || candidate->records.front()->health.empty()) continue;
      return add_charts(*candidate, fmt::format("{}, {}", title, heading_of(stream, setting, size)), stream.time_name,
                        section);
    }
  });
}

}  // namespace stad::cli::bench
