#pragma once

#include <optional>
#include <vector>

#include <stad/adapter.hpp>
#include <stad/eval/pipeline.hpp>

#include "bench/plan/run_plan.hpp"
#include "bench/run/run_record.hpp"

namespace stad::cli::bench {

/// Looks at the prototypes at the end of every time step: how far they are from the true class centres, how far apart
/// they stand, and, for the step that is to be drawn, what a map of it looks like.
class PrototypeWatch {
 public:
  /// @param rows the embeddings that the adapter is given
  PrototypeWatch(const PlannedRun& run, const Adapter& adapter, const FeatureStream& rows);

  void see(const PlannedBatch& batch);
  /// To be called after the last batch.
  Status finish(RunRecord& record);

 private:
  void close_step();
  Matrix represented(const std::vector<Index>& rows) const;
  Result<StepMap> draw() const;

  const PlannedRun& run_;
  const Adapter& adapter_;
  const FeatureStream& rows_;
  bool centred_;       // the method subtracts the source mean
  PlannedBatch step_;  // the rows of the step at hand
  Matrix prototypes_;  // as its last batch left them
  std::vector<StepGeometry> geometry_;
  std::optional<Result<StepMap>> map_;
};

}  // namespace stad::cli::bench
