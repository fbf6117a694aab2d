#include "bench/run/execute.hpp"

#include <exception>
#include <new>
#include <numeric>

#include <fmt/format.h>

#include <stad/version.hpp>

#include "bench/plan/provenance.hpp"
#include "bench/run/prototype_watch.hpp"
#include "bench/run/run_input.hpp"
#include "common/progress.hpp"

namespace stad::cli::bench {
namespace {

RunRecord failed_record(std::string reason) {
  RunRecord record;
  record.failed = true;
  record.reason = std::move(reason);
  return record;
}

RunRecord record_of(const RunReport& report) {
  RunRecord record;
  const Evaluation& evaluation = *report.evaluation;
  record.pooled = evaluation.pooled;
  record.step_mean = evaluation.step_mean;
  record.calibration_error = evaluation.calibration_error;
  record.seconds_adapt = report.adapt_seconds;
  record.samples = report.samples;
  record.batches = report.batches;
  record.undirected = report.undirected;
  record.restarted = report.restarted;
  for (const StepAccuracy& step : evaluation.per_step) record.steps.push_back({step.time, step.samples, step.correct});
  record.estimate_errors = report.estimate_errors;
  return record;
}

std::vector<StepTold> health_of(const RunReport& report) {
  std::vector<StepTold> told;
  for (const StepHealth& step : report.health) {
    const Health& health = step.health;
    StepTold one{.time = step.time,
                 .estimate = health.accuracy.value(),
                 .low = health.accuracy.low(),
                 .high = health.accuracy.high(),
                 .confidence = health.confidence,
                 .flip_rate = health.flip_rate(),
                 .trust = {},
                 .dispersion = health.dispersion,
                 .movement = {}};
    if (health.guard) one.trust = health.guard->trust;
    if (!health.movement.empty())
      one.movement = std::accumulate(health.movement.begin(), health.movement.end(), 0.0) /
                     static_cast<double>(health.movement.size());
    told.push_back(one);
  }
  return told;
}

/// Whether a run is over its time.
class TimeLimit {
 public:
  explicit TimeLimit(std::optional<double> seconds) : seconds_(seconds) {}

  bool over() const { return seconds_ && watch_.seconds() > *seconds_; }
  std::string text() const { return fmt::format("took longer than time_limit = {} s", *seconds_); }

 private:
  std::optional<double> seconds_;
  Stopwatch watch_;
};

RunRecord run_through(const PlannedRun& plan, RunInput& input, std::optional<double> time_limit,
                      const KeepWorking& keep_going) {
  const TimeLimit limit(time_limit);
  input.adapter->watch(plan.watch_health ? HealthLevel::kFull : HealthLevel::kNone);
  PrototypeWatch prototypes(plan, *input.adapter, input.rows);
  const bool watched = plan.follow_prototypes || plan.projection;
  const auto report = run(
      *input.adapter, input.rows, plan.batches(), [&](const Progress&) { return !limit.over() && keep_going(); },
      [&](const PlannedBatch& batch, const Predictions&) {
        if (watched) prototypes.see(batch);
      });
  if (!report) return failed_record(limit.over() ? limit.text() : report.error().message);
  RunRecord record = record_of(*report);
  if (plan.watch_health) record.health = health_of(*report);
  if (const auto seen = prototypes.finish(record); !seen) return failed_record(seen.error().message);
  return record;
}

/// What several runs share is made before the clock of this one starts.
RunRecord open_and_run(const PlannedRun& plan, std::optional<double> time_limit, const KeepWorking& keep_going) {
  auto input = open_input(plan, keep_going);
  if (!input) return failed_record(input.error().message);
  return run_through(plan, *input, time_limit, keep_going);
}

}  // namespace

RunRecord execute(const PlannedRun& plan, std::optional<double> time_limit, const KeepWorking& keep_going) {
  RunRecord record;
  try {
    record = open_and_run(plan, time_limit, keep_going);
  } catch (const std::bad_alloc&) {
    record = failed_record("out of memory");
  } catch (const std::exception& trouble) {
    record = failed_record(trouble.what());
  }
  record.version = kVersion;
  record.machine = machine_name();
  return record;
}

}  // namespace stad::cli::bench
