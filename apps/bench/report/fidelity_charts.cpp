#include <set>

#include <fmt/format.h>

#include <stad/eval/statistics.hpp>

#include "bench/report/exhibits.hpp"
#include "bench/report/series.hpp"

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

/// Dispersion and accuracy of every step of every run.
struct Cloud {
  std::vector<double> dispersion;
  std::vector<double> accuracy;

  explicit Cloud(const Candidate& candidate) {
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
  void add(const std::string& title, const Candidate& candidate) {
    add_references(candidate);
    angles_.push_back(line(title, candidate, &StepGeometry::adapted_angle));
    spreads_.push_back(line(title, candidate, &StepGeometry::adapted_dispersion));
    const Cloud cloud(candidate);
    clouds_.push_back(cloud.json(title));
    notes_.push_back(cloud.note(title));
  }

  void append_to(Section& section, const std::string& heading, const std::string& time_name) const {
    if (angles_.empty()) return;
    const auto over_time = [&](const char* what, const Json& series) {
      section.charts.push_back(
          {{"title", heading + what}, {"x_label", time_name}, {"y_label", "degrees"}, {"series", series}});
    };
    over_time(": distance to the true class centres", angles_);
    over_time(": dispersion of the prototypes", spreads_);
    section.charts.push_back({{"title", heading + ": accuracy against dispersion"},
                              {"kind", "points"},
                              {"x_label", "dispersion in degrees"},
                              {"y_label", "accuracy in %"},
                              {"note", fmt::format("{}", fmt::join(notes_, "; "))},
                              {"series", clouds_}});
  }

 private:
  /// Once for each space: a method that centres its features sees other directions than one that does not.
  void add_references(const Candidate& candidate) {
    const bool centred = candidate.plans.front()->centres_features();
    if (!referred_.insert(centred).second) return;
    const std::string space = centred ? ", features centred" : "";
    angles_.push_back(line("source weights" + space, candidate, &StepGeometry::source_angle, true));
    if (referred_.size() == 1)  // the weights stand as far apart in either
      spreads_.push_back(line("source weights", candidate, &StepGeometry::source_dispersion, true));
    spreads_.push_back(line("true centres" + space, candidate, &StepGeometry::true_dispersion));
  }

  std::set<bool> referred_;
  Json angles_ = Json::array();
  Json spreads_ = Json::array();
  Json clouds_ = Json::array();
  std::vector<std::string> notes_;
};

}  // namespace

void add_fidelity_charts(const Results& results, Section& section) {
  results.for_each_setting([&](const StreamSpec& stream, const SettingSpec& setting) {
    FidelityCharts charts;
    for (const std::string& title : results.titles()) {
      const Candidate* candidate =
          results.shown({stream.name, setting.name, setting.batch_sizes.front(), title, "", ""});
      const bool followed = candidate && candidate->plans.front()->follow_prototypes;  // not where the network adapts
      if (followed && !results.is_source(title)) charts.add(title, *candidate);
    }
    charts.append_to(section, heading_of(stream, setting), stream.time_name);
  });
}

}  // namespace stad::cli::bench
