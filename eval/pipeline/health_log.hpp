#pragma once

#include <optional>
#include <vector>

#include <stad/eval/pipeline.hpp>

namespace stad {

/// Aggregates the health of predictions by time step, or by at most 100 runs of batches for streams without times.
class HealthLog {
 public:
  /// @param batches number of batches of the whole run
  HealthLog(bool has_time, Index batches);

  void add(const PlannedBatch& batch, const Health& health);
  std::vector<StepHealth> take() { return std::move(steps_); }

 private:
  bool begins_step(const PlannedBatch& batch) const;

  bool has_time_;
  Index batches_per_step_;
  Index batches_done_ = 0;
  std::vector<StepHealth> steps_;
};

/// The warning levels of the time steps against their accuracies; none if no step has labels and a level.
/// @param card_accuracy of the source; none: no step counts
std::optional<WarningRecord> warning_record(const Evaluation& evaluation, const std::vector<StepHealth>& steps,
                                            bool has_time, const std::optional<double>& card_accuracy);

}  // namespace stad
