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
  Index log_likelihood_rows_ = 0;  ///< rows of the current step
  std::vector<StepHealth> steps_;
};

/// Mean errors of the accuracy estimates over the time steps; none if no step has labels and an estimate.
std::optional<EstimateErrors> estimate_errors(const Evaluation& evaluation, const std::vector<StepHealth>& steps,
                                              bool has_time);

}  // namespace stad
