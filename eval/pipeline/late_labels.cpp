#include "pipeline/late_labels.hpp"

#include <fmt/format.h>

#include "adapt/rules.hpp"
#include "base/random.hpp"
#include "base/try.hpp"

namespace stad {

Status check_late_labels(const FeatureStream& stream, const Adapter& adapter, const BatchSettings& settings) {
  if (!settings.late_labels) return {};
  const LateLabels& late = *settings.late_labels;
  if (late.delay < 0) return invalid(fmt::format("label delay = {}, must be at least 0", late.delay));
  if (!(late.share > 0 && late.share <= 1))
    return invalid(fmt::format("label share = {}, must be above 0 and at most 1", late.share));
  if (!stream.has_labels()) return invalid(fmt::format("{}: has no labels, late labels require them", stream.name));
  return check_takes_labels(adapter);
}

LateLabelFeed::LateLabelFeed(const FeatureStream& stream, const BatchSettings& settings)
    : stream_(stream), late_(settings.late_labels) {
  if (!late_) return;
  Random random(settings.seed);
  for (const std::int64_t label : stream.labels) known_.push_back(random.uniform() < late_->share && label != kNoClass);
}

std::span<const std::int64_t> LateLabelFeed::ids_of(const PlannedBatch& batch) {
  if (!late_) return {};
  ids_.assign(batch.rows.begin(), batch.rows.end());
  return ids_;
}

/// Rows of a batch whose labels may be delivered.
std::vector<Index> LateLabelFeed::due_rows(const PlannedBatch& batch, Index number) const {
  return late_->requested ? requested_[static_cast<std::size_t>(number)] : batch.rows;
}

Status LateLabelFeed::deliver(const std::vector<PlannedBatch>& batches, Index done, const Predictions& answer,
                              Adapter& adapter) {
  if (!late_) return {};
  std::vector<Index>& requested = requested_.emplace_back();
  for (const Index n : answer.label_requests)
    requested.push_back(batches[static_cast<std::size_t>(done)].rows[static_cast<std::size_t>(n)]);
  if (done < late_->delay) return {};
  ids_.clear();
  labels_.clear();
  const Index due = done - late_->delay;
  for (const Index row : due_rows(batches[static_cast<std::size_t>(due)], due))
    if (known_[static_cast<std::size_t>(row)]) {
      ids_.push_back(row);
      labels_.push_back(stream_.labels[row]);
    }
  STAD_ASSIGN(const Observed counts, adapter.observe(ids_, labels_));
  observed_.used += counts.used;
  observed_.forgotten += counts.forgotten;
  return {};
}

}  // namespace stad
