#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <stad/eval/projection.hpp>

#include "bench/plan/run_plan.hpp"

namespace stad::cli::bench {
namespace {

/// Limits the number of time steps, which are columns of a table.
void check_time_steps(const PlannedRun& run) {
  constexpr std::size_t kMostColumns = 60;
  std::set<double> steps;
  const auto batches = plan_batches(run.data->outline(), run.batches());
  for (const PlannedBatch& batch : *batches) steps.insert(batch.time);
  if (steps.size() > kMostColumns)
    reject_at(run.stream->place, fmt::format("stream {} has {} time steps, must have at most {} for time-steps",
                                             run.stream->name, steps.size(), kMostColumns));
}

/// The number of rows with a class among those used, or among those of one time step.
Index scored_rows(const PlannedRun& run, std::optional<double> time = {}) {
  Index rows = 0;
  const FeatureStream& outline = run.data->outline();
  const auto scored = [&](Index row) { return outline.labels[static_cast<std::size_t>(row)] != kNoClass; };
  const auto batches = plan_batches(outline, run.batches());
  for (const PlannedBatch& batch : *batches)
    if (!time || batch.time == *time) rows += std::ranges::count_if(batch.rows, scored);
  return rows;
}

}  // namespace

void check_values(const MethodSpec& method, const RunData& data) {
  for (const OptionRange& range : method.ranges())
    for (const std::string& value : range.values)
      need_at(range.place, data.resolve(method.name, {{range.name, value}}));
}

void check_network(const PlannedRun& run) {
  const StreamSpec& spec = *run.stream;
  const FeatureStream& outline = run.data->outline();
  if (!outline.has_labels()) reject_at(spec.place, outline.name + ": has no labels, which are needed for scoring");
  const auto source = need_at(spec.place, make_adapter(run.data->source(), SourceOptions{}));
  need_at(spec.place, check_run(outline, *source, run.batches()));
  if (scored_rows(run) == 0)
    reject_at(spec.place, outline.name + ": no row in use has a class, which is needed for scoring");
  if (run.experiment->shows(Exhibit::kTimeSteps)) check_time_steps(run);
}

void check_projection(const PlannedRun& run) {
  const ProjectionSpec& map = *run.projection;
  const Index rows = scored_rows(run, map.time);
  if (rows == 0)
    reject_at(map.place, fmt::format("time is {}, must be a time step of {} in use", map.time, run.stream->name));
  const Index prototypes = 2 * run.data->source().classes();
  if (map.points + prototypes > TsneSettings::kMaximumPoints)
    reject_at(map.place, fmt::format("points is {}, must be at most {} with {} prototypes", map.points,
                                     TsneSettings::kMaximumPoints - prototypes, prototypes));
  const double most = static_cast<double>(std::min(rows, map.points) + prototypes - 1) / 3;
  if (map.perplexity < 1 || map.perplexity > most)
    reject_at(map.place, fmt::format("perplexity is {}, must be from 1 to {:.1f} with this number of points",
                                     map.perplexity, most));
}

}  // namespace stad::cli::bench
