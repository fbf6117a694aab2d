#include "bench/run/execute.hpp"

#include <exception>
#include <new>

#include <fmt/format.h>

#include <stad/version.hpp>

#include "bench/plan/provenance.hpp"
#include "bench/run/prototype_tracker.hpp"
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
  record.warnings = report.warnings;
  return record;
}

std::vector<StepHealthRecord> health_of(const RunReport& report) {
  std::vector<StepHealthRecord> steps;
  for (const StepHealth& step : report.health) {
    const Health& health = step.health;
    StepHealthRecord record{step.time, health.confidence, health.flip_rate(), {}};
    if (health.guard) record.chains = health.guard->chains ? 1 : 0;
    steps.push_back(record);
  }
  return steps;
}

/// Measures whether a run exceeds its time limit.
class TimeLimit {
 public:
  explicit TimeLimit(std::optional<double> seconds) : seconds_(seconds) {}

  bool exceeded() const { return seconds_ && timer_.seconds() > *seconds_; }
  std::string text() const { return fmt::format("took longer than time_limit = {} s", *seconds_); }

 private:
  std::optional<double> seconds_;
  WallTimer timer_;
};

RunRecord run_adapter(const PlannedRun& plan, RunInput& input, std::optional<double> time_limit,
                      const ShouldContinue& should_continue) {
  const TimeLimit limit(time_limit);
  input.adapter->watch(plan.watch_health ? HealthLevel::kFull : HealthLevel::kNone);
  PrototypeTracker prototypes(plan, *input.adapter, input.rows);
  const bool tracked = plan.follow_prototypes || plan.projection;
  const auto report = run(
      *input.adapter, input.rows, plan.batches(),
      [&](const Progress&) { return !limit.exceeded() && should_continue(); },
      [&](const PlannedBatch& batch, const Predictions&) {
        if (tracked) prototypes.add(batch);
      });
  if (!report) return failed_record(limit.exceeded() ? limit.text() : report.error().message);
  RunRecord record = record_of(*report);
  if (plan.watch_health) record.health = health_of(*report);
  if (const auto finished = prototypes.finish(record); !finished) return failed_record(finished.error().message);
  return record;
}

/// Inputs shared by several runs are computed before the time of this run is measured.
RunRecord open_and_run(const PlannedRun& plan, std::optional<double> time_limit,
                       const ShouldContinue& should_continue) {
  auto input = open_input(plan, should_continue);
  if (!input) return failed_record(input.error().message);
  return run_adapter(plan, *input, time_limit, should_continue);
}

Result<RunInput> with_rows(Result<AdapterPointer> adapter, FeatureStream rows) {
  if (!adapter) return adapter.error();
  return RunInput{*std::move(adapter), std::move(rows)};
}

/// The oracle is trained on a share of the rows and classifies the rest.
Result<RunInput> open_oracle_run(const PlannedRun& run, const ImageStream& images) {
  auto split = split_labelled(images, run.options);
  if (!split) return split.error();
  return with_rows(run.data->images()->backbone().make_oracle(split->labelled, run.options),
                   std::move(split->rest.pixels));
}

Result<RunInput> open_image_run(const PlannedRun& run) {
  const auto images = run.data->images()->load_images();
  if (!images) return images.error();
  if (run.method->name == "oracle") return open_oracle_run(run, **images);
  FeatureStream rows = (*images)->pixels;
  rows.storage = *images;  // shared with other runs until the last of them ends
  return with_rows(run.data->images()->backbone().make_adapter(run.method->name, (*images)->shape, run.options),
                   std::move(rows));
}

}  // namespace

RunRecord execute(const PlannedRun& run, std::optional<double> time_limit, const ShouldContinue& should_continue) {
  RunRecord record;
  try {
    record = open_and_run(run, time_limit, should_continue);
  } catch (const std::bad_alloc&) {
    record = failed_record("out of memory");
  } catch (const std::exception& error) {
    record = failed_record(error.what());
  }
  record.version = kVersion;
  record.machine = machine_name();
  return record;
}

Result<RunInput> open_input(const PlannedRun& run, const ShouldContinue& should_continue) {
  if (run.takes_images()) return open_image_run(run);
  const auto features = run.data->features(should_continue);
  if (!features) return features.error();
  return with_rows(make_adapter(run.method->name, run.data->source(), run.options), **features);
}

}  // namespace stad::cli::bench
