#include "bench/plan/run_checks.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <stad/eval/projection.hpp>

namespace stad::cli::bench {
namespace {

/// A table has a column for each.
void check_time_steps(const PlannedRun& run) {
  constexpr std::size_t kMostColumns = 60;
  std::set<double> steps;
  const auto batches = plan_batches(run.data->outline(), run.batches());
  for (const PlannedBatch& batch : *batches) steps.insert(batch.time);
  if (steps.size() > kMostColumns)
    refuse_at(run.stream->place, fmt::format("stream {} has {} time steps, must have at most {} for time-steps",
                                             run.stream->name, steps.size(), kMostColumns));
}

/// How many of the rows used are scored; of one time step, where it is given.
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
  if (!outline.has_labels()) refuse_at(spec.place, outline.name + ": has no labels, which scoring needs");
  const auto plain = need_at(spec.place, make_adapter(run.data->source(), SourceOptions{}));
  need_at(spec.place, check_run(outline, *plain, run.batches()));
  if (scored_rows(run) == 0) refuse_at(spec.place, outline.name + ": no row used has a class, which scoring needs");
  if (run.experiment->shows(Exhibit::kTimeSteps)) check_time_steps(run);
}

void check_projection(const PlannedRun& run) {
  const ProjectionSpec& map = *run.projection;
  const Index rows = scored_rows(run, map.time);
  if (rows == 0)
    refuse_at(map.place, fmt::format("time is {}, must be a time step of {} that is used", map.time, run.stream->name));
  const Index prototypes = 2 * run.data->source().classes();
  if (map.points + prototypes > TsneSettings::kMaximumPoints)
    refuse_at(map.place, fmt::format("points is {}, must be at most {} with {} prototypes", map.points,
                                     TsneSettings::kMaximumPoints - prototypes, prototypes));
  const double most = static_cast<double>(std::min(rows, map.points) + prototypes - 1) / 3;
  if (map.perplexity < 1 || map.perplexity > most)
    refuse_at(map.place,
              fmt::format("perplexity is {}, must be from 1 to {:.1f} with so many points", map.perplexity, most));
}

}  // namespace stad::cli::bench
