#include "pipeline/health_log.hpp"

#include <map>

namespace stad {
namespace {

constexpr Index kMostSteps = 100;
constexpr double kNoticedLoss = 0.1;  // of accuracy: a larger one must not be called fine

/// Running mean over `rows` rows, extended by a value for `more` rows.
double extended_mean(double mean, Index rows, double value, Index more) {
  const auto weight = static_cast<double>(more) / static_cast<double>(rows + more);
  return mean + weight * (value - mean);
}

WarningRecord record_of_step(Warning warning, double lost) {
  return {.steps = 1,
          .fine = warning == Warning::kFine,
          .watch = warning == Warning::kWatch,
          .act = warning == Warning::kAct,
          .missed = warning == Warning::kFine && lost > kNoticedLoss,
          .false_alarms = warning == Warning::kAct && lost <= 0};
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
  }
  StepHealth& step = steps_.back();
  const Health past = step.health;
  const auto rows = static_cast<Index>(batch.rows.size());
  step.health = health;
  step.health.confidence = extended_mean(past.confidence, step.samples, health.confidence, rows);
  step.health.compared += past.compared;
  step.health.flipped += past.flipped;
  step.samples += rows;
  ++batches_done_;
}

WarningRecord& WarningRecord::operator+=(const WarningRecord& other) {
  steps += other.steps;
  fine += other.fine;
  watch += other.watch;
  act += other.act;
  missed += other.missed;
  false_alarms += other.false_alarms;
  return *this;
}

std::optional<WarningRecord> warning_record(const Evaluation& evaluation, const std::vector<StepHealth>& steps,
                                            bool has_time, const std::optional<double>& card_accuracy) {
  if (!card_accuracy) return std::nullopt;
  // The evaluation counts all rows of one time as one step, even if the time recurs, and streams without times as one.
  std::map<double, Warning> by_time;
  for (const StepHealth& step : steps)
    if (step.health.warning) by_time[has_time ? step.time : 0] = *step.health.warning;
  WarningRecord record;
  for (const StepAccuracy& step : evaluation.per_step)
    if (const auto found = by_time.find(step.time); found != by_time.end())
      record += record_of_step(found->second, *card_accuracy - step.accuracy);
  return record.steps > 0 ? std::optional(record) : std::nullopt;
}

}  // namespace stad
