#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <stad/eval/pipeline.hpp>

namespace stad {

/// Whether labels can be told as the settings ask, where they do.
Status check_late_labels(const FeatureStream& stream, const Adapter& adapter, const BatchSettings& settings);

/// Tells an adapter the labels of a stream some batches after their rows, which are named by their position.
class LateLabelTeller {
 public:
  LateLabelTeller(const FeatureStream& stream, const BatchSettings& settings);

  /// Names of the rows; none where no label will be told.
  std::span<const std::int64_t> ids_of(const PlannedBatch& batch);
  /// Once batch number `done` has been answered.
  Status tell(const std::vector<PlannedBatch>& batches, Index done, Adapter& adapter);

  const Observed& told() const { return told_; }

 private:
  const FeatureStream& stream_;
  std::optional<LateLabels> late_;
  std::vector<bool> known_;  ///< of every row of the stream, whether its label comes
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> labels_;
  Observed told_;
};

}  // namespace stad
