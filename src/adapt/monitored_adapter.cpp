#include "adapt/monitored_adapter.hpp"

#include <cmath>

#include "adapt/answer.hpp"
#include "adapt/rules.hpp"
#include "adapt/stad_safe_adapter.hpp"
#include "data/source_logits.hpp"
#include "math/angles.hpp"
#include "math/scratch_rows.hpp"

namespace stad {
namespace {

constexpr Index kComparedRowStep = 32;     // at kBasic one row in so many is compared with the source
constexpr double kEvidenceRows = 1000;     // time constant of the evidence counts, in rows
constexpr Index kMostDispersionRows = 64;  // prototypes of which dispersion is measured

double mean_confidence(const Predictions& answer) {
  double sum = 0;
  for (Index n = 0; n < answer.probabilities.rows(); ++n) sum += answer.probabilities(n, answer.labels[n]);
  return sum / static_cast<double>(answer.probabilities.rows());
}

void compare_with_reported_source(Predictions& answer) {
  Health& health = answer.health;
  health.compared = answer.probabilities.rows();
  for (std::size_t n = 0; n < answer.labels.size(); ++n)
    health.flipped += answer.labels[n] == answer.source_labels[n] ? 0 : 1;
}

/// None for a head of too many classes.
std::unique_ptr<Adapter> make_reference(const SourceModel& source) {
  if (!check_guard_size(source)) return nullptr;
  return std::make_unique<StadSafeAdapter>(source, StadSafeOptions{});
}

}  // namespace

std::unique_ptr<Adapter> monitored(std::unique_ptr<Adapter> adapter) {
  return std::make_unique<MonitoredAdapter>(std::move(adapter));
}

MonitoredAdapter::MonitoredAdapter(std::unique_ptr<Adapter> inner)
    : Adapter(inner->source()),
      inner_(std::move(inner)),
      evidence_(static_cast<std::size_t>(source().classes()), 0.0) {}

void MonitoredAdapter::watch(HealthLevel level) {
  level_ = level;
  rows_ = 0;
  evidence_.assign(evidence_.size(), 0.0);
  const bool needed = level == HealthLevel::kFull && !inner_->guard();
  reference_ = needed ? make_reference(source()) : nullptr;
}

Status MonitoredAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  if (Status adapted = inner_->adapt_checked(batch, answer); !adapted) return adapted;
  complete_source(batch, answer);
  if (level_ != HealthLevel::kNone) write_health(batch, answer);
  return {};
}

Status MonitoredAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  if (Status predicted = inner_->predict_checked(batch, answer); !predicted) return predicted;
  complete_source(batch, answer);
  return {};
}

void MonitoredAdapter::report_source(bool reports) {
  Adapter::report_source(reports);
  inner_->report_source(reports);
}

void MonitoredAdapter::complete_source(const Batch& batch, Predictions& answer) const {
  if (!reports_source() || !answer.source_labels.empty() || !takes_features()) return;
  Scratch scratch;
  const auto logits = take_rows<double>(scratch, batch.features.rows, source().classes());
  source_logits(source(), batch.features, logits);
  serve_source(logits, answer);
}

Observed MonitoredAdapter::observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) {
  return inner_->observe_checked(ids, labels);
}

Result<Observed> MonitoredAdapter::observe_checked(const Batch& batch, std::span<const std::int64_t> labels,
                                                   LabelSampling sampling) {
  return inner_->observe_checked(batch, labels, sampling);
}

void MonitoredAdapter::write_health(const Batch& batch, Predictions& answer) {
  answer.health.confidence = mean_confidence(answer);
  answer.health.guard = guard();
  count_evidence(answer);
  if (level_ == HealthLevel::kFull)
    write_full(batch, answer);
  else if (answer.health.compared == 0 && takes_features())
    answer.source_labels.empty() ? compare_with_source(batch.features, kComparedRowStep, answer)
                                 : compare_with_reported_source(answer);
  rows_ += batch.features.rows;
}

void MonitoredAdapter::count_evidence(Predictions& answer) {
  const double keep = std::exp(-static_cast<double>(answer.probabilities.rows()) / kEvidenceRows);
  auto evidence = as_array(std::span(evidence_));
  evidence =
      keep * evidence + as_eigen(answer.probabilities).colwise().sum().transpose().template cast<double>().array();
  answer.health.evidence = evidence_;
}

/// The rows compared are those whose position in the stream is a multiple of `step`, so that batches of one are
/// compared as often as larger ones.
void MonitoredAdapter::compare_with_source(MatrixView features, Index step, Predictions& answer) const {
  const Index first = (step - rows_ % step) % step;
  if (first >= features.rows) return;
  const Index count = (features.rows - first - 1) / step + 1;
  Scratch scratch;
  const auto logits = take_rows<double>(scratch, count, source().classes());
  source_logits(source(), {features.row(first).data(), count, features.cols, step * features.stride}, logits);
  Health& health = answer.health;
  for (Index i = 0; i < count; ++i) {
    Index label = 0;
    logits.row(i).maxCoeff(&label);
    const Index answered = answer.labels[first + i * step];
    ++health.compared;
    health.flipped += answered == label ? 0 : 1;
  }
}

void MonitoredAdapter::write_full(const Batch& batch, Predictions& answer) {
  Health& health = answer.health;
  write_geometry(*inner_, health);
  if (health.guard) return;
  Matrix embedded;
  if (!takes_features()) {
    auto features = inner_->source_features(batch.features);
    if (!features) return;
    embedded = *std::move(features);
  }
  Batch seen(embedded.empty() ? batch.features : embedded.view());
  seen.time = batch.time;
  compare_with_source(seen.features, 1, answer);
  if (!reference_ || !reference_->adapt(seen, reference_answer_)) return;
  health.guard = reference_->guard();
  health.warning = reference_answer_.health.warning;
}

void write_geometry(const Adapter& adapter, Health& health) {
  const Matrix prototypes = adapter.prototypes();
  for (const auto& angle : row_angles(prototypes, adapter.source().weight()))
    health.movement.push_back(angle.value_or(0));
  // All pairs of many prototypes would cost more than the batch: evenly spaced rows suffice for the mean.
  const Index step = (prototypes.rows() - 1) / kMostDispersionRows + 1;
  health.dispersion = mean_pairwise_angle(
      {prototypes.data(), (prototypes.rows() - 1) / step + 1, prototypes.cols(), step * prototypes.cols()});
}

}  // namespace stad
