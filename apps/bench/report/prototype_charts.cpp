#include <set>

#include <fmt/format.h>

#include <stad/eval/statistics.hpp>

#include "bench/report/exhibits.hpp"

namespace stad::cli::bench {
namespace {

using Quantity = std::optional<double> StepGeometry::*;

Json geometry_line(const std::string& name, const CandidateRuns& candidate, Quantity quantity, bool reference = false) {
  StepValues values;
  for (std::size_t i = 0; i < candidate.records.size(); ++i)
    for (const StepGeometry& step : candidate.records[i]->geometry)
      if (const auto& value = step.*quantity) values.add(step.time, candidate.plans[i], *value);
  Series series(name, reference);
  values.fill(series);
  return series.json();
}

/// Dispersion and accuracy of every step of every run.
struct DispersionScatter {
  std::vector<double> dispersion;
  std::vector<double> accuracy;

  explicit DispersionScatter(const CandidateRuns& candidate) {
    for (const RunRecord* record : candidate.records)
      for (const StepGeometry& step : record->geometry)
        for (const StepScore& score : record->steps)
          if (step.adapted_dispersion && score.time == step.time) {
            dispersion.push_back(*step.adapted_dispersion);
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

/// The three charts of one stream in one setting, method by method.
class FidelityCharts {
 public:
  void add(const std::string& title, const CandidateRuns& candidate) {
    add_references(candidate);
    angles_.push_back(geometry_line(title, candidate, &StepGeometry::adapted_angle));
    dispersions_.push_back(geometry_line(title, candidate, &StepGeometry::adapted_dispersion));
    const DispersionScatter scatter(candidate);
    scatters_.push_back(scatter.json(title));
    notes_.push_back(scatter.note(title));
  }

  void append_to(Section& section, const std::string& heading, const std::string& time_name) const {
    if (angles_.empty()) return;
    const auto over_time = [&](const char* what, const Json& series) {
      section.charts.push_back(
          {{"title", heading + what}, {"x_label", time_name}, {"y_label", "degrees"}, {"series", series}});
    };
    over_time(": distance to the true class centres", angles_);
    over_time(": dispersion of the prototypes", dispersions_);
    section.charts.push_back({{"title", heading + ": accuracy against dispersion"},
                              {"kind", "points"},
                              {"x_label", "dispersion in degrees"},
                              {"y_label", "accuracy in %"},
                              {"note", fmt::format("{}", fmt::join(notes_, "; "))},
                              {"series", scatters_}});
  }

 private:
  /// Adds the source once for each feature space: centring changes the directions.
  void add_references(const CandidateRuns& candidate) {
    const bool centred = candidate.plans.front()->centres_features();
    if (!reference_spaces_.insert(centred).second) return;
    const std::string space = centred ? ", features centred" : "";
    angles_.push_back(geometry_line("source weights" + space, candidate, &StepGeometry::source_angle, true));
    if (reference_spaces_.size() == 1)  // the dispersion of the weights is the same in both
      dispersions_.push_back(geometry_line("source weights", candidate, &StepGeometry::source_dispersion, true));
    dispersions_.push_back(geometry_line("true centres" + space, candidate, &StepGeometry::true_dispersion));
  }

  std::set<bool> reference_spaces_;
  Json angles_ = Json::array();
  Json dispersions_ = Json::array();
  Json scatters_ = Json::array();
  std::vector<std::string> notes_;
};

Json marks(const std::string& name, const char* mark, const std::vector<MapPoint>& points, std::size_t class_index) {
  Json list = Json::array();
  for (const MapPoint& point : points)
    if (point.class_index == static_cast<Index>(class_index)) list.push_back({point.x, point.y});
  return {{"name", name}, {"mark", mark}, {"points", list}};
}

/// The colour is the class, the mark is the kind of point.
Json series_of(const StepMap& map, const std::vector<std::string>& classes) {
  Json series = Json::array();
  for (std::size_t k = 0; k < classes.size(); ++k) {
    const std::string name = "class " + classes[k];
    series.push_back(marks(name, "dot", map.samples, k));
    series.push_back(marks("source weight of " + name, "cross", map.source, k));
    series.back()["like"] = name;
    series.push_back(marks("prototype of " + name, "diamond", map.adapted, k));
    series.back()["like"] = name;
  }
  return series;
}

}  // namespace

void add_fidelity_charts(const Results& results, Section& section) {
  results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
    FidelityCharts charts;
    for (const std::string& title : results.titles()) {
      const CandidateRuns* candidate =
          results.shown({stream.name, setting.name, setting.batch_sizes.front(), title, "", ""});
      const bool tracked = candidate && candidate->plans.front()->follow_prototypes;  // not if the network adapts
      if (tracked && !results.is_source(title)) charts.add(title, *candidate);
    }
    charts.append_to(section, heading_of(stream, setting), stream.time_name);
  });
}

void add_projection(const Results& results, Section& section) {
  const ProjectionSpec& spec = *results.experiment.projection;
  for (const auto& [key, cell] : results.cells.all())
    for (const CandidateRuns& candidate : cell.candidates)
      for (std::size_t i = 0; i < candidate.records.size(); ++i) {
        const auto& map = candidate.records[i]->map;
        if (!map || !candidate.plans[i]->projection) continue;
        section.charts.push_back(
            {{"title",
              fmt::format("{} {} of {}: {} samples and the prototypes of {}", candidate.plans[i]->stream->time_name,
                          json_text(time_value(spec.time)), key.stream, map->samples.size(), key.title)},
             {"kind", "points"},
             {"axes", false},
             {"x_label", ""},
             {"y_label", ""},
             {"note", fmt::format("t-SNE, perplexity {}, seed {}. Dots are samples in the colour of their true class, "
                                  "crosses the source weights, diamonds the adapted prototypes.",
                                  spec.perplexity, spec.seed)},
             {"series", series_of(*map, candidate.plans[i]->data->source().class_names())}});
        return;
      }
}

}  // namespace stad::cli::bench
