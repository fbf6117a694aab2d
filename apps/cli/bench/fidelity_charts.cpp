#include <fmt/format.h>

#include <stad/statistics.hpp>

#include "exhibits.hpp"
#include "series.hpp"

namespace stad::cli::bench {
namespace {

using Quantity = std::optional<double> StepGeometry::*;

Json line(const std::string& name, const Candidate& candidate, Quantity quantity, bool reference = false) {
  StepValues values;
  for (std::size_t i = 0; i < candidate.records.size(); ++i)
    for (const StepGeometry& step : candidate.records[i]->geometry)
      if (const auto& value = step.*quantity) values.add(step.time, candidate.plans[i], *value);
  Series series(name, reference);
  values.fill(series);
  return series.json();
}

Json chart_of(const std::string& title, const StreamSpec& stream, const std::string& y_label, const Json& series) {
  return {{"title", title}, {"x_label", stream.time_name}, {"y_label", y_label}, {"series", series}};
}

/// Dispersion and accuracy of every step of every run.
struct Cloud {
  std::vector<double> dispersion;
  std::vector<double> accuracy;

  explicit Cloud(const Candidate& candidate) {
    for (const RunRecord* record : candidate.records)
      for (std::size_t s = 0; s < record->geometry.size(); ++s) {
        const auto& spread = record->geometry[s].adapted_dispersion;
        const StepScore& score = record->steps[s];
        if (!spread || score.time != record->geometry[s].time) continue;
        dispersion.push_back(*spread);
        accuracy.push_back(score.percent());
      }
  }

  Json json(const std::string& name) const {
    Json points = Json::array();
    for (std::size_t i = 0; i < accuracy.size(); ++i)
      points.push_back({shortened(dispersion[i]), shortened(accuracy[i])});
    return {{"name", name}, {"points", points}};
  }

  std::string note(const std::string& name) const {
    const auto text = [](const std::optional<double>& r) { return r ? fmt::format("{:+.2f}", *r) : "undefined"; };
    return fmt::format("{}: correlation {}, of ranks {}, over {} steps", name, text(correlation(dispersion, accuracy)),
                       text(rank_correlation(dispersion, accuracy)), accuracy.size());
  }
};

}  // namespace

void add_fidelity_charts(const Results& results, Exhibition& section) {
  for (const StreamSpec& stream : results.experiment.streams)
    for (const SettingSpec& setting : results.experiment.settings) {
      Json angles = Json::array(), spreads = Json::array(), clouds = Json::array();
      std::vector<std::string> notes;
      for (const std::string& title : results.titles()) {
        const Candidate* candidate =
            results.shown({stream.name, setting.name, setting.batch_sizes.front(), title, "", ""});
        if (!candidate || results.is_source(title)) continue;
        if (angles.empty()) {
          angles.push_back(line("source weights", *candidate, &StepGeometry::source_angle, true));
          spreads.push_back(line("source weights", *candidate, &StepGeometry::source_dispersion, true));
          spreads.push_back(line("true centres", *candidate, &StepGeometry::true_dispersion));
        }
        angles.push_back(line(title, *candidate, &StepGeometry::adapted_angle));
        spreads.push_back(line(title, *candidate, &StepGeometry::adapted_dispersion));
        const Cloud cloud(*candidate);
        clouds.push_back(cloud.json(title));
        notes.push_back(cloud.note(title));
      }
      if (angles.empty()) continue;
      const std::string heading = heading_of(stream, setting);
      section.charts.push_back(chart_of(heading + ": distance to the true class centres", stream, "degrees", angles));
      section.charts.push_back(chart_of(heading + ": dispersion of the prototypes", stream, "degrees", spreads));
      section.charts.push_back({{"title", heading + ": accuracy against dispersion"},
                                {"kind", "points"},
                                {"x_label", "dispersion in degrees"},
                                {"y_label", "accuracy in %"},
                                {"note", fmt::format("{}", fmt::join(notes, "; "))},
                                {"series", clouds}});
    }
}

}  // namespace stad::cli::bench
