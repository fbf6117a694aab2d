#pragma once

#include <optional>
#include <vector>

#include <stad/eval/pipeline.hpp>

namespace stad {

/// Gathers the health of answers, time step by time step.
class HealthLog {
 public:
  /// @param batches in the whole run
  HealthLog(bool has_time, Index batches);

  void add(const PlannedBatch& batch, const Health& health);
  std::vector<StepHealth> take() { return std::move(steps_); }

 private:
  bool begins_step(const PlannedBatch& batch) const;

  bool has_time_;
  Index batches_a_piece_;
  Index batches_done_ = 0;
  Index log_likelihood_rows_ = 0;  ///< of the step at hand
  std::vector<StepHealth> steps_;
};

/// None where the two have no time steps in common.
std::optional<EstimateErrors> estimate_errors(const Evaluation& evaluation, const std::vector<StepHealth>& steps,
                                              bool has_time);

}  // namespace stad
