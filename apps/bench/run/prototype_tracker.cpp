#include "bench/run/prototype_tracker.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include <stad/eval/projection.hpp>
#include <stad/eval/prototype_geometry.hpp>

namespace stad::cli::bench {
namespace {

void to_unit(std::span<float> row) {
  const double square = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
  if (square > 0)
    for (float& value : row) value = static_cast<float>(value / std::sqrt(square));
}

/// Every n-th row, so that all classes and batches are represented.
std::vector<Index> sample(const std::vector<Index>& rows, Index limit) {
  const auto count = static_cast<Index>(rows.size());
  if (count <= limit) return rows;
  std::vector<Index> chosen;
  for (Index i = 0; i < limit; ++i) chosen.push_back(rows[static_cast<std::size_t>(i * count / limit)]);
  return chosen;
}

/// The rows of the classes that have a centre.
Matrix present(const Matrix& rows, const Matrix& centres) {
  std::vector<Index> kept;
  for (Index k = 0; k < centres.rows(); ++k)
    if (std::any_of(centres.row(k).begin(), centres.row(k).end(), [](float value) { return value != 0; }))
      kept.push_back(k);
  Matrix result(static_cast<Index>(kept.size()), rows.cols());
  for (std::size_t i = 0; i < kept.size(); ++i)
    std::copy(rows.row(kept[i]).begin(), rows.row(kept[i]).end(), result.row(static_cast<Index>(i)).begin());
  return result;
}

void append(const Matrix& rows, Matrix& all, Index& at) {
  for (Index r = 0; r < rows.rows(); ++r, ++at) {
    std::copy(rows.row(r).begin(), rows.row(r).end(), all.row(at).begin());
    to_unit(all.row(at));
  }
}

}  // namespace

PrototypeTracker::PrototypeTracker(const PlannedRun& run, const Adapter& adapter, const FeatureStream& rows)
    : run_(run), adapter_(adapter), rows_(rows), centred_(run.centres_features()) {}

void PrototypeTracker::add(const PlannedBatch& batch) {
  if (batch.time != step_.time) close_step();
  step_.time = batch.time;
  // A row of no class belongs to no class centre and has no colour in the map.
  std::ranges::copy_if(batch.rows, std::back_inserter(step_.rows),
                       [&](Index row) { return rows_.labels[static_cast<std::size_t>(row)] != kNoClass; });
  prototypes_ = adapter_.prototypes();
}

void PrototypeTracker::close_step() {
  if (step_.rows.empty()) return;
  if (run_.projection && run_.projection->time == step_.time) map_ = project();
  if (run_.follow_prototypes) {
    std::vector<std::int64_t> labels;
    for (const Index row : step_.rows) labels.push_back(rows_.labels[static_cast<std::size_t>(row)]);
    const Matrix& source = run_.data->source().weight();
    const Matrix centres = class_centres(represented(step_.rows), labels, run_.data->source().classes());
    // Only classes that are present in the step have a true centre to compare with.
    geometry_.push_back({step_.time, mean_angle(source, centres), mean_angle(prototypes_, centres), dispersion(centres),
                         dispersion(present(source, centres)), dispersion(present(prototypes_, centres))});
  }
  step_.rows.clear();
}

/// The rows after centring, without normalisation of their length.
Matrix PrototypeTracker::represented(const std::vector<Index>& rows) const {
  const auto mean = run_.data->source().mean();
  Matrix result(static_cast<Index>(rows.size()), run_.data->source().dimension());
  for (Index i = 0; i < result.rows(); ++i) {
    const auto row = rows_.features.row(rows[static_cast<std::size_t>(i)]);
    for (std::size_t d = 0; d < row.size(); ++d) result.row(i)[d] = row[d] - (centred_ ? mean[d] : 0);
  }
  return result;
}

Result<StepMap> PrototypeTracker::project() const {
  const SourceModel& source = run_.data->source();
  const Index classes = source.classes();
  const auto rows = sample(step_.rows, run_.projection->points);
  const Matrix samples = represented(rows);
  Matrix all(samples.rows() + 2 * classes, source.dimension());
  Index at = 0;
  append(samples, all, at);
  append(source.weight(), all, at);
  append(prototypes_, all, at);
  const auto map = tsne(all, {.perplexity = run_.projection->perplexity, .seed = run_.projection->seed});
  if (!map) return map.error();

  StepMap result;
  // Three decimals are finer than the pixels of a screen.
  const auto point = [&](Index row, Index class_index) {
    const auto shorten = [](float value) { return std::round(static_cast<double>(value) * 1000) / 1000; };
    return MapPoint{shorten((*map)(row, 0)), shorten((*map)(row, 1)), class_index};
  };
  for (Index i = 0; i < samples.rows(); ++i)
    result.samples.push_back(point(i, rows_.labels[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])]));
  for (Index k = 0; k < classes; ++k) {
    result.source.push_back(point(samples.rows() + k, k));
    result.adapted.push_back(point(samples.rows() + classes + k, k));
  }
  return result;
}

Status PrototypeTracker::finish(RunRecord& record) {
  close_step();
  record.geometry = std::move(geometry_);
  if (!map_) return {};
  if (!*map_) return map_->error();
  record.map = **std::move(map_);
  return {};
}

}  // namespace stad::cli::bench
