#include "bench/report/series.hpp"

#include <cmath>

namespace stad::cli::bench {

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

/// Of a long stream every n-th step: more points than pixels would only make the page heavy.
void StepValues::fill(Series& series) const {
  constexpr std::size_t kMostPoints = 300;
  const std::size_t stride = (steps_.size() + kMostPoints - 1) / kMostPoints;
  std::size_t i = 0;
  for (const auto& [time, step] : steps_)
    if (i++ % stride == 0) series.add(time, figure_of(step.plans, step.values));
}

Json accuracy_line(const std::string& name, const Candidate& candidate, bool reference) {
  StepValues values;
  for (std::size_t i = 0; i < candidate.records.size(); ++i)
    for (const StepScore& step : candidate.records[i]->steps) values.add(step.time, candidate.plans[i], step.percent());
  Series series(name, reference);
  values.fill(series);
  return series.json();
}

Json Series::json() const { return {{"name", name_}, {"reference", reference_}, {"points", points_}}; }

}  // namespace stad::cli::bench
