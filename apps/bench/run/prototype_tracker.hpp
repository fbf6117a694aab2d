#pragma once

#include <optional>
#include <vector>

#include <stad/adapter.hpp>
#include <stad/eval/pipeline.hpp>

#include "bench/plan/run_plan.hpp"
#include "bench/run/run_record.hpp"

namespace stad::cli::bench {

/// Records the prototypes at the end of every time step: their angles to the true class centres, their dispersion, and
/// the t-SNE map of the step that is projected.
class PrototypeTracker {
 public:
  /// @param rows the input embeddings of the adapter
  PrototypeTracker(const PlannedRun& run, const Adapter& adapter, const FeatureStream& rows);

  /// To be called after the adapter has processed the batch.
  void add(const PlannedBatch& batch);
  /// Stores the results in the record; to be called after the last batch.
  Status finish(RunRecord& record);

 private:
  void close_step();
  Matrix represented(const std::vector<Index>& rows) const;
  Result<StepMap> project() const;

  const PlannedRun& run_;
  const Adapter& adapter_;
  const FeatureStream& rows_;
  bool centred_;       // the method subtracts the source mean
  PlannedBatch step_;  // the rows of the current step
  Matrix prototypes_;  // after the last batch of the step
  std::vector<StepGeometry> geometry_;
  std::optional<Result<StepMap>> map_;
};

}  // namespace stad::cli::bench
