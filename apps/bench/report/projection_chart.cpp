#include <fmt/format.h>

#include "bench/report/exhibits.hpp"

namespace stad::cli::bench {
namespace {

Json marks(const std::string& name, const char* mark, const std::vector<MapPoint>& points, std::size_t class_index) {
  Json list = Json::array();
  for (const MapPoint& point : points)
    if (point.class_index == static_cast<Index>(class_index)) list.push_back({point.x, point.y});
  return {{"name", name}, {"mark", mark}, {"points", list}};
}

/// The colour is the class, the mark says what stands there.
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

void add_projection(const Results& results, Section& section) {
  const ProjectionSpec& spec = *results.experiment.projection;
  for (const auto& [key, cell] : results.cells.all())
    for (const Candidate& candidate : cell.candidates)
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
