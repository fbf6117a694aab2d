#include "pipeline/health_log.hpp"

#include <cmath>
#include <map>

namespace stad {
namespace {

constexpr Index kMostSteps = 100;

/// Running mean over `rows` rows, extended by a value for `more` rows.
double extended_mean(double mean, Index rows, double value, Index more) {
  const auto weight = static_cast<double>(more) / static_cast<double>(rows + more);
  return mean + weight * (value - mean);
}

}  // namespace

HealthLog::HealthLog(bool has_time, Index batches)
    : has_time_(has_time), batches_per_step_((batches + kMostSteps - 1) / kMostSteps) {}

bool HealthLog::begins_step(const PlannedBatch& batch) const {
  if (steps_.empty()) return true;
  return has_time_ ? batch.time != steps_.back().time : batches_done_ % batches_per_step_ == 0;
}

void HealthLog::add(const PlannedBatch& batch, const Health& health) {
  if (begins_step(batch)) {
    const Index before = steps_.empty() ? 0 : steps_.back().before + steps_.back().samples;
    steps_.push_back({has_time_ ? batch.time : 0, before, 0, {}});
    log_likelihood_rows_ = 0;
  }
  StepHealth& step = steps_.back();
  const Health past = step.health;
  const auto rows = static_cast<Index>(batch.rows.size());
  step.health = health;
  step.health.confidence = extended_mean(past.confidence, step.samples, health.confidence, rows);
  step.health.compared += past.compared;
  step.health.flipped += past.flipped;
  step.health.accuracy += past.accuracy;
  step.health.log_likelihood = past.log_likelihood;
  if (health.log_likelihood) {
    step.health.log_likelihood =
        extended_mean(past.log_likelihood.value_or(0), log_likelihood_rows_, *health.log_likelihood, rows);
    log_likelihood_rows_ += rows;
  }
  step.samples += rows;
  ++batches_done_;
}

std::optional<EstimateErrors> estimate_errors(const Evaluation& evaluation, const std::vector<StepHealth>& steps,
                                              bool has_time) {
  // The evaluation counts all rows of one time as one step, even if the time recurs, and streams without times as one.
  std::map<double, std::pair<AccuracyEstimate, AccuracyEstimate>> by_time;
  for (const StepHealth& step : steps) {
    auto& [estimate, confidence] = by_time[has_time ? step.time : 0];
    estimate += step.health.accuracy;
    confidence += {step.samples, step.health.confidence * static_cast<double>(step.samples), 0, 0};
  }
  EstimateErrors errors;
  Index count = 0;
  for (const StepAccuracy& step : evaluation.per_step) {
    const auto found = by_time.find(step.time);
    if (found == by_time.end() || found->second.first.rows == 0) continue;
    const auto& [estimate, confidence] = found->second;
    errors.estimate += std::abs(estimate.value() - step.accuracy);
    errors.confidence += std::abs(confidence.value() - step.accuracy);
    errors.covered += estimate.low() <= step.accuracy && step.accuracy <= estimate.high() ? 1 : 0;
    ++count;
  }
  if (count == 0) return std::nullopt;
  const auto steps_compared = static_cast<double>(count);
  return EstimateErrors{errors.estimate / steps_compared, errors.confidence / steps_compared,
                        errors.covered / steps_compared};
}

}  // namespace stad
