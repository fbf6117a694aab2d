#include <fmt/format.h>

#include "exhibits.hpp"

namespace stad::cli::bench {
namespace {

Json marks(const std::string& name, const std::string& mark, const std::vector<MapPoint>& points, Index class_index) {
  Json list = Json::array();
  for (const MapPoint& point : points)
    if (point.class_index == class_index) list.push_back({point.x, point.y});
  return {{"name", name}, {"mark", mark}, {"points", list}};
}

Json series_of(const StepMap& map) {
  Json series = Json::array();
  for (std::size_t k = 0; k < map.classes.size(); ++k)
    series.push_back(marks("class " + map.classes[k], "dot", map.samples, static_cast<Index>(k)));
  for (std::size_t k = 0; k < map.classes.size(); ++k) {
    series.push_back(marks("source weight " + map.classes[k], "cross", map.source, static_cast<Index>(k)));
    series.push_back(marks("prototype " + map.classes[k], "diamond", map.adapted, static_cast<Index>(k)));
  }
  return series;
}

}  // namespace

void add_projection(const Results& results, Exhibition& section) {
  const ProjectionSpec& spec = *results.experiment.projection;
  for (const auto& [key, cell] : results.cells.all())
    for (const Candidate& candidate : cell.candidates)
      for (std::size_t i = 0; i < candidate.records.size(); ++i) {
        const auto& map = candidate.records[i]->map;
        if (!map || !candidate.plans[i]->projection) continue;
        section.charts.push_back(
            {{"title", fmt::format("{} {} of {}: {} samples and the prototypes of {}", candidate.plans[i]->stream->time_name,
                                   json_text(time_value(spec.time)), key.stream, map->samples.size(), key.title)},
             {"kind", "points"},
             {"axes", false},
             {"x_label", ""},
             {"y_label", ""},
             {"note", fmt::format("t-SNE, perplexity {}, seed {}; colours are true classes", spec.perplexity, spec.seed)},
             {"series", series_of(*map)}});
        return;
      }
}

}  // namespace stad::cli::bench
