#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <stad/eval/pipeline.hpp>

namespace stad {

/// Fails if the settings request late labels that the stream or the method does not support.
Status check_late_labels(const FeatureStream& stream, const Adapter& adapter, const BatchSettings& settings);

/// Passes labels to an adapter some batches after their rows. Row ids are positions in the stream.
class LateLabelFeed {
 public:
  LateLabelFeed(const FeatureStream& stream, const BatchSettings& settings);

  /// Ids of the rows of a batch; empty without late labels.
  std::span<const std::int64_t> ids_of(const PlannedBatch& batch);
  /// Call after batch number `done` was predicted, with its answer.
  Status deliver(const std::vector<PlannedBatch>& batches, Index done, const Predictions& answer, Adapter& adapter);

  const Observed& observed() const { return observed_; }

 private:
  std::vector<Index> due_rows(const PlannedBatch& batch, Index number) const;

  const FeatureStream& stream_;
  std::optional<LateLabels> late_;
  std::vector<bool> known_;                    ///< for every row of the stream, whether its label is delivered
  std::vector<std::vector<Index>> requested_;  ///< rows of the stream that every batch so far requested
  std::vector<std::int64_t> ids_;
  std::vector<std::int64_t> labels_;
  Observed observed_;
};

}  // namespace stad
