#include "adapt/monitored_adapter.hpp"

#include <cmath>

#include "adapt/rules.hpp"
#include "adapt/source_logits.hpp"
#include "adapt/stad_safe_adapter.hpp"
#include "math/angles.hpp"
#include "math/scratch_rows.hpp"
#include "math/softmax.hpp"

namespace stad {
namespace {

constexpr Index kComparedRowStep = 32;     // at kBasic one row in so many is compared with the source
constexpr double kEvidenceRows = 1000;     // time constant of the evidence counts, in rows
constexpr Index kMostDispersionRows = 64;  // prototypes of which dispersion is measured

/// Adds a row that was answered correctly with this probability.
void add_row(double probability, AccuracyEstimate& estimate) {
  ++estimate.rows;
  estimate.correct += probability;
  estimate.variance += probability * (1 - probability);
}

/// Estimate from class posteriors, discounted by their reliability.
AccuracyEstimate estimate_by(MatrixView posteriors, double reliability, const std::vector<std::int64_t>& labels) {
  AccuracyEstimate estimate;
  for (Index n = 0; n < posteriors.rows; ++n) add_row(reliability * posteriors.row(n)[labels[n]], estimate);
  return estimate;
}

/// None for a head whose rows have no direction.
std::unique_ptr<Adapter> make_referee(const SourceModel& source) {
  if (!check_prototypes("stad-safe", source, Center::kNone)) return nullptr;
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
  referee_ = level == HealthLevel::kFull ? make_referee(source()) : nullptr;
}

Status MonitoredAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  if (Status adapted = inner_->adapt_checked(batch, answer); !adapted) return adapted;
  if (level_ != HealthLevel::kNone) write_health(batch, answer);
  return {};
}

Status MonitoredAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  return inner_->predict_checked(batch, answer);
}

Observed MonitoredAdapter::observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) {
  return inner_->observe_checked(ids, labels);
}

Result<Observed> MonitoredAdapter::observe_checked(const Batch& batch, std::span<const std::int64_t> labels) {
  return inner_->observe_checked(batch, labels);
}

void MonitoredAdapter::write_health(const Batch& batch, Predictions& answer) {
  const AccuracyEstimate own = estimate_by(answer.probabilities, 1, answer.labels);
  Health& health = answer.health;
  health.confidence = own.value();
  health.guard = guard();
  count_evidence(answer);
  if (level_ == HealthLevel::kFull)
    write_full(batch, answer);
  else
    write_basic(batch, answer);
  // Without an independent estimate the stated probabilities are the only one. Where rows can be compared with the
  // source, a batch without a compared row has no estimate.
  if (health.accuracy.rows == 0 && !takes_features()) health.accuracy = own;
  // Which of the rows that differ from the source are among the correct ones is unknown.
  health.accuracy.doubted = health.flip_rate() * health.accuracy.correct;
  rows_ += batch.features.rows;
}

void MonitoredAdapter::count_evidence(Predictions& answer) {
  const double keep = std::exp(-static_cast<double>(answer.probabilities.rows()) / kEvidenceRows);
  auto evidence = as_array(std::span(evidence_));
  evidence =
      keep * evidence + as_eigen(answer.probabilities).colwise().sum().transpose().template cast<double>().array();
  answer.health.evidence = evidence_;
}

void MonitoredAdapter::write_basic(const Batch& batch, Predictions& answer) const {
  if (const auto& guard = answer.health.guard)
    answer.health.accuracy = estimate_by(answer.probabilities, guard->reliability, answer.labels);
  else if (takes_features())
    compare_with_source(batch.features, kComparedRowStep, answer);
}

/// The rows compared are those whose position in the stream is a multiple of `step`, so that batches of one are
/// compared as often as larger ones.
void MonitoredAdapter::compare_with_source(MatrixView features, Index step, Predictions& answer) const {
  const Index first = (step - rows_ % step) % step;
  if (first >= features.rows) return;
  const Index count = (features.rows - first - 1) / step + 1;
  Scratch scratch;
  const auto logits = take_rows<double>(scratch, count, source().classes());
  const auto probabilities = take_rows<double>(scratch, count, source().classes());
  const auto log_sums = take_vector(scratch, count);
  source_logits(source(), {features.row(first).data(), count, features.cols, step * features.stride}, logits);
  softmax_rows(logits, probabilities, log_sums);
  Health& health = answer.health;
  for (Index i = 0; i < count; ++i) {
    Index label = 0;
    logits.row(i).maxCoeff(&label);
    const Index answered = answer.labels[first + i * step];
    ++health.compared;
    health.flipped += answered == label ? 0 : 1;
    add_row(probabilities(i, answered), health.accuracy);
  }
}

void MonitoredAdapter::write_full(const Batch& batch, Predictions& answer) {
  Health& health = answer.health;
  write_geometry(*inner_, health);
  if (health.guard) {
    health.accuracy = estimate_by(answer.probabilities, health.guard->reliability, answer.labels);
    return;
  }
  Matrix embedded;
  if (!takes_features()) {
    auto features = inner_->source_features(batch.features);
    if (!features) return;
    embedded = *std::move(features);
  }
  Batch seen(embedded.empty() ? batch.features : embedded.view());
  seen.time = batch.time;
  compare_with_source(seen.features, 1, answer);
  if (!referee_ || !referee_->adapt(seen, referee_answer_)) return;
  health.guard = referee_->guard();
  health.log_likelihood = referee_answer_.health.log_likelihood;
  health.accuracy = estimate_by(referee_answer_.probabilities, health.guard->reliability, answer.labels);
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
