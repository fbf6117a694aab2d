#include "adapt/monitor.hpp"

#include <cmath>

#include <stad/methods.hpp>

#include "adapt/answer.hpp"
#include "adapt/source_logits.hpp"
#include "math/angles.hpp"
#include "math/scratch_rows.hpp"
#include "math/softmax.hpp"

namespace stad {
namespace {

constexpr Index kOneRowIn = 32;           // is asked of the source at kBasic
constexpr double kRememberedRows = 1000;  // of which the evidence for a class is counted
constexpr Index kMostPrototypes = 64;     // of which dispersion is measured

bool takes_features(const Adapter& adapter) { return adapter.input_dimension() == adapter.source().dimension(); }

/// A row that was answered rightly with this probability.
void add_row(double probability, AccuracyEstimate& estimate) {
  ++estimate.rows;
  estimate.correct += probability;
  estimate.variance += probability * (1 - probability);
}

/// If `posteriors` say how likely each class is, and are right as far as they are reliable.
AccuracyEstimate estimate_by(MatrixView posteriors, double reliability, const std::vector<std::int64_t>& labels) {
  AccuracyEstimate estimate;
  for (Index n = 0; n < posteriors.rows; ++n) add_row(reliability * posteriors.row(n)[labels[n]], estimate);
  return estimate;
}

}  // namespace

Monitor::Monitor(const SourceModel& source, HealthLevel level)
    : level_(level), evidence_(static_cast<std::size_t>(source.classes()), 0.0) {
  if (level != HealthLevel::kFull) return;
  // A head whose rows have no directions has no referee.
  if (auto referee = make_adapter(source, StadSafeOptions{})) {
    referee_ = *std::move(referee);
    referee_->watch(HealthLevel::kNone);
  }
}

void Monitor::examine(const Adapter& adapter, const Batch& batch, Predictions& answer) {
  const AccuracyEstimate own = estimate_by(answer.probabilities, 1, answer.labels);
  Health& health = answer.health;
  health.confidence = own.value();
  health.guard = adapter.guard();
  count_evidence(answer);
  if (level_ == HealthLevel::kFull)
    look_closely(adapter, batch, answer);
  else
    look(adapter, batch, answer);
  // A method that nobody else can judge is taken at its word; of one that the source can, some batches say nothing.
  if (health.accuracy.rows == 0 && !takes_features(adapter)) health.accuracy = own;
  health.accuracy.doubted = health.flip_rate() * health.accuracy.correct;  // nobody says which of them are flipped
  rows_ += batch.features.rows;
}

void Monitor::count_evidence(Predictions& answer) {
  const double keep = std::exp(-static_cast<double>(answer.probabilities.rows()) / kRememberedRows);
  auto evidence = as_array(std::span(evidence_));
  evidence =
      keep * evidence + as_eigen(answer.probabilities).colwise().sum().transpose().template cast<double>().array();
  answer.health.evidence = evidence_;
}

void Monitor::look(const Adapter& adapter, const Batch& batch, Predictions& answer) {
  if (const auto& guard = answer.health.guard)
    answer.health.accuracy = estimate_by(answer.probabilities, guard->reliability, answer.labels);
  else if (takes_features(adapter))
    ask_source(adapter.source(), batch.features, kOneRowIn, answer);
}

/// Only the first `step` rows of the stream decide which: of batches of one, every 32nd is asked about.
void Monitor::ask_source(const SourceModel& source, MatrixView features, Index step, Predictions& answer) const {
  const Index first = (step - rows_ % step) % step;
  if (first >= features.rows) return;
  const Index count = (features.rows - first - 1) / step + 1;
  Scratch scratch;
  const auto logits = take_rows<double>(scratch, count, source.classes());
  const auto probabilities = take_rows<double>(scratch, count, source.classes());
  const auto log_sums = take_vector(scratch, count);
  source_logits(source, {features.row(first).data(), count, features.cols, step * features.stride}, logits);
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

void Monitor::look_closely(const Adapter& adapter, const Batch& batch, Predictions& answer) {
  Health& health = answer.health;
  write_geometry(adapter, health);
  if (health.guard) {
    health.accuracy = estimate_by(answer.probabilities, health.guard->reliability, answer.labels);
    return;
  }
  Matrix embedded;
  if (!takes_features(adapter)) {
    auto features = adapter.source_features(batch.features);
    if (!features) return;
    embedded = *std::move(features);
  }
  Batch seen(embedded.empty() ? batch.features : embedded.view());
  seen.time = batch.time;
  ask_source(adapter.source(), seen.features, 1, answer);
  if (!referee_ || !referee_->adapt(seen, referee_answer_)) return;
  health.guard = referee_->guard();
  health.log_likelihood = referee_answer_.health.log_likelihood;
  health.accuracy = estimate_by(referee_answer_.probabilities, health.guard->reliability, answer.labels);
}

void write_geometry(const Adapter& adapter, Health& health) {
  const Matrix prototypes = adapter.prototypes();
  for (const auto& angle : row_angles(prototypes, adapter.source().weight()))
    health.movement.push_back(angle.value_or(0));
  // All pairs of very many prototypes would take longer than the batch: some of them, evenly spread, say the same.
  const Index step = (prototypes.rows() - 1) / kMostPrototypes + 1;
  health.dispersion =
      mean_pairwise_angle({prototypes.data(), (prototypes.rows() - 1) / step + 1, prototypes.cols(), step * prototypes.cols()});
}

}  // namespace stad
