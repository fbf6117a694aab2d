#include <algorithm>

#include <fmt/format.h>

#include <stad/eval/pipeline.hpp>

#include "base/random.hpp"
#include "base/try.hpp"
#include "data/class_order.hpp"
#include "data/feature_rules.hpp"

namespace stad {
namespace {

constexpr Index kDefaultBatchSize = 64;

double time_of(const FeatureStream& stream, Index row) { return stream.has_time() ? stream.time[row] : 0; }

Status check_length(const FeatureStream& stream, const char* field, std::size_t length) {
  if (length == 0 || static_cast<Index>(length) == stream.features.rows) return {};
  return invalid(fmt::format("{}: {} has {} values, must have {} (one per row)", stream.name, field, length,
                             stream.features.rows));
}

/// Streams read from files satisfy these rules; streams built in memory may not.
Status check_stream(const FeatureStream& stream) {
  STAD_TRY(check_length(stream, "labels", stream.labels.size()));
  STAD_TRY(check_length(stream, "time", stream.time.size()));
  for (std::size_t i = 0; i < stream.time.size(); ++i)
    if (!is_time(stream.time[i]))
      return invalid(fmt::format("{}: time row {} is {}, {}", stream.name, i, stream.time[i], kTimeRule));
  Index sum = 0;
  for (std::size_t i = 0; i < stream.batch_sizes.size(); ++i) {
    if (stream.batch_sizes[i] < 1 || stream.batch_sizes[i] > stream.features.rows - sum)
      return invalid(fmt::format("{}: batch_sizes entry {} is {}, must be at least 1 and sum to {} with the others",
                                 stream.name, i, stream.batch_sizes[i], stream.features.rows));
    sum += stream.batch_sizes[i];
  }
  if (!stream.batch_sizes.empty() && sum != stream.features.rows)
    return invalid(fmt::format("{}: batch_sizes sum to {}, must sum to {}", stream.name, sum, stream.features.rows));
  return {};
}

Status check_batch_settings(const FeatureStream& stream, const BatchSettings& settings) {
  if (settings.batch_size && *settings.batch_size < 1)
    return invalid(fmt::format("batch size is {}, must be at least 1", *settings.batch_size));
  if ((settings.since || settings.until || settings.sort_by_time) && !stream.has_time())
    return invalid(fmt::format("{}: has no time, since, until and sort-by-time require it", stream.name));
  if (settings.order == Order::kSorted && !stream.has_labels())
    return invalid(fmt::format("{}: has no labels, the sorted order requires them", stream.name));
  return {};
}

Status check_time(const FeatureStream& stream) {
  for (std::size_t i = 1; i < stream.time.size(); ++i)
    if (stream.time[i] < stream.time[i - 1])
      return invalid(fmt::format("{}: time row {} is {}, must not be below {} of the row before; or sort by time",
                                 stream.name, i, stream.time[i], stream.time[i - 1]));
  return {};
}

/// The rows between since and until, in stream order or by time.
std::vector<Index> select_rows(const FeatureStream& stream, const BatchSettings& settings) {
  std::vector<Index> rows;
  for (Index i = 0; i < stream.features.rows; ++i) {
    const double time = time_of(stream, i);
    if ((!settings.since || time >= *settings.since) && (!settings.until || time <= *settings.until)) rows.push_back(i);
  }
  if (settings.sort_by_time)
    std::stable_sort(rows.begin(), rows.end(),
                     [&](Index a, Index b) { return time_of(stream, a) < time_of(stream, b); });
  return rows;
}

std::string no_rows(const FeatureStream& stream, const BatchSettings& settings) {
  if (stream.features.rows == 0) return fmt::format("{}: has no rows, must have at least 1", stream.name);
  const auto [first, last] = std::minmax_element(stream.time.begin(), stream.time.end());
  return fmt::format("{}: has no rows since {} until {}; its time goes from {} to {}", stream.name,
                     settings.since ? fmt::format("{}", *settings.since) : "the start",
                     settings.until ? fmt::format("{}", *settings.until) : "the end", *first, *last);
}

/// Consecutive rows of equal time.
std::vector<PlannedBatch> split_steps(const FeatureStream& stream, const std::vector<Index>& rows) {
  std::vector<PlannedBatch> steps;
  for (const Index row : rows) {
    const double time = time_of(stream, row);
    if (steps.empty() || steps.back().time != time) steps.push_back({time, {}});
    steps.back().rows.push_back(row);
  }
  return steps;
}

void reorder(const FeatureStream& stream, const BatchSettings& settings, std::vector<PlannedBatch>& steps) {
  if (settings.order == Order::kAsIs) return;
  Random random(settings.seed);
  for (PlannedBatch& step : steps) {
    random.shuffle(step.rows);
    if (settings.order == Order::kSorted) sort_by_class(stream.labels, random, step.rows);
  }
}

/// Joins all steps, so that batches may span time steps.
std::vector<PlannedBatch> join(const std::vector<PlannedBatch>& steps) {
  PlannedBatch all;
  for (const PlannedBatch& step : steps) all.rows.insert(all.rows.end(), step.rows.begin(), step.rows.end());
  return {std::move(all)};
}

std::vector<PlannedBatch> cut(const FeatureStream& stream, const std::vector<PlannedBatch>& steps, Index size) {
  std::vector<PlannedBatch> batches;
  for (const PlannedBatch& step : steps)
    for (Index first = 0; first < static_cast<Index>(step.rows.size()); first += size) {
      const Index count = std::min(size, static_cast<Index>(step.rows.size()) - first);
      std::vector<Index> rows(step.rows.begin() + first, step.rows.begin() + first + count);
      batches.push_back({time_of(stream, rows.back()), std::move(rows)});
    }
  return batches;
}

/// The batches of the stream, without the rows that are not selected.
Result<std::vector<PlannedBatch>> follow_batch_sizes(const FeatureStream& stream, const std::vector<Index>& rows) {
  std::vector<PlannedBatch> batches;
  std::size_t next = 0;
  Index end = 0;
  for (std::size_t b = 0; b < stream.batch_sizes.size(); ++b) {
    end += stream.batch_sizes[b];
    PlannedBatch batch;
    for (; next < rows.size() && rows[next] < end; ++next) batch.rows.push_back(rows[next]);
    if (batch.rows.empty()) continue;
    batch.time = time_of(stream, batch.rows.front());
    if (time_of(stream, batch.rows.back()) != batch.time)
      return invalid(fmt::format("{}: batch_sizes entry {} (rows {} to {}) spans times {} and {}, must be of one time",
                                 stream.name, b, batch.rows.front(), batch.rows.back(), batch.time,
                                 time_of(stream, batch.rows.back())));
    batches.push_back(std::move(batch));
  }
  return batches;
}

}  // namespace

Result<std::vector<PlannedBatch>> plan_batches(const FeatureStream& stream, const BatchSettings& settings) {
  STAD_TRY(check_stream(stream));
  STAD_TRY(check_batch_settings(stream, settings));
  if (!settings.sort_by_time) STAD_TRY(check_time(stream));
  const auto rows = select_rows(stream, settings);
  if (rows.empty()) return invalid(no_rows(stream, settings));

  const bool as_recorded = settings.order == Order::kAsIs && !settings.sort_by_time && !settings.across_steps;
  if (!settings.batch_size && as_recorded && !stream.batch_sizes.empty()) return follow_batch_sizes(stream, rows);
  auto steps = split_steps(stream, rows);
  reorder(stream, settings, steps);
  if (settings.across_steps) steps = join(steps);
  return cut(stream, steps, settings.batch_size.value_or(kDefaultBatchSize));
}

}  // namespace stad
