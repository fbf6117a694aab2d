#include "bench/report/exhibits.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace stad::cli::bench {

std::vector<std::string> Results::titles() const {
  std::vector<std::string> titles;
  for (const MethodSpec& method : experiment.methods)
    if (std::find(titles.begin(), titles.end(), method.title) == titles.end()) titles.push_back(method.title);
  return titles;
}

std::string Results::limits_of(const std::string& title, const StreamSpec& stream, const SettingSpec& setting) const {
  for (const MethodSpec& method : experiment.methods)
    if (method.title == title && !method.name.empty() && applies(method, stream, setting))
      return limits_text(method, stream, setting);
  return "";
}

Json Results::title_cell(const std::string& title, const StreamSpec& stream, const SettingSpec& setting) const {
  const std::string limits = limits_of(title, stream, setting);
  return limits.empty() ? Json(title) : Json{{"text", title}, {"note", limits}};
}

bool Results::is_source(const std::string& title) const {
  return std::any_of(experiment.methods.begin(), experiment.methods.end(),
                     [&](const MethodSpec& method) { return method.title == title && method.name == "source"; });
}

bool Results::is_missing(const StreamSpec& stream) const { return plan.find_missing(experiment, stream) != nullptr; }

bool Results::has_choices() const {
  return std::any_of(experiment.methods.begin(), experiment.methods.end(), [](const MethodSpec& method) {
    return !method.grid.empty() || method.protocol == Protocol::kBestWithLabels;
  });
}

const CandidateRuns* Results::shown(const CellKey& key) const {
  const ResultCell* cell = cells.find(key);
  const CandidateRuns* candidate = cell ? cell->chosen(Protocol::kBestWithLabels) : nullptr;
  return candidate && candidate->failure().empty() ? candidate : nullptr;
}

void Results::for_each_setting(const std::function<void(const StreamSpec&, const SettingSpec&)>& visit) const {
  for (const StreamSpec& stream : experiment.streams)
    if (!is_missing(stream))
      for (const SettingSpec& setting : experiment.settings)
        if (applies(setting, stream)) visit(stream, setting);
}

Json accuracy_chart(const Results& results, const StreamSpec& stream, const SettingSpec& setting,
                    const std::string& title, const std::string& x_label, const Json& series) {
  Json chart{
      {"title", title}, {"x_label", x_label}, {"y_label", "accuracy in %"}, {"y_range", {0, 100}}, {"series", series}};
  std::vector<std::string> notes;
  if (results.has_choices()) notes.emplace_back("Every method at its best with labels.");
  for (const std::string& method : results.titles())
    if (const std::string limits = results.limits_of(method, stream, setting); !limits.empty())
      notes.push_back(fmt::format("{}: {}.", method, limits));
  if (!notes.empty()) chart["note"] = fmt::format("{}", fmt::join(notes, " "));
  return chart;
}

std::string heading_of(const StreamSpec& stream, const SettingSpec& setting) {
  return stream.name + ", " + setting.name;
}

std::string heading_of(const StreamSpec& stream, const SettingSpec& setting, Index batch_size) {
  const std::string heading = heading_of(stream, setting);
  return setting.batch_sizes.size() > 1 ? fmt::format("{}, batches of {}", heading, batch_size) : heading;
}

double shortened(double value) { return std::round(value * 1e4) / 1e4; }

Series::Series(std::string name, bool reference) : name_(std::move(name)), reference_(reference) {}

void Series::add(double x, const Figure& figure) {
  Json point{x, shortened(figure.mean)};
  if (figure.deviation) point.push_back(shortened(*figure.deviation));
  points_.push_back(point);
}

void StepValues::add(double time, const PlannedRun* plan, double value) {
  steps_[time].plans.push_back(plan);
  steps_[time].values.push_back(value);
}

/// Long streams are thinned to every n-th step: more points than pixels only enlarge the page.
void StepValues::fill(Series& series) const {
  constexpr std::size_t kMostPoints = 300;
  const std::size_t stride = (steps_.size() + kMostPoints - 1) / kMostPoints;
  std::size_t i = 0;
  for (const auto& [time, step] : steps_)
    if (i++ % stride == 0) series.add(time, figure_of(step.plans, step.values));
}

Json accuracy_line(const std::string& name, const CandidateRuns& candidate, bool reference) {
  StepValues values;
  for (std::size_t i = 0; i < candidate.records.size(); ++i)
    for (const StepScore& step : candidate.records[i]->steps) values.add(step.time, candidate.plans[i], step.percent());
  Series series(name, reference);
  values.fill(series);
  return series.json();
}

Json Series::json() const { return {{"name", name_}, {"reference", reference_}, {"points", points_}}; }

}  // namespace stad::cli::bench
