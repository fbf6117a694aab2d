#include "adapt/rules.hpp"

#include <fmt/format.h>

#include "base/try.hpp"
#include "math/unit_rows.hpp"

namespace stad {

Status check_prototypes(const char* method, const SourceModel& source, Center center) {
  if (center == Center::kSource && !source.has_mean())
    return invalid(fmt::format("{}: center = source needs a feature mean, the source has none", method));
  const auto directed = unit_rows<float>(source.weight()).directed;
  for (Index k = 0; k < source.classes(); ++k)
    if (k >= static_cast<Index>(directed.size()) || directed[k] != k)
      return invalid(fmt::format("{}: source weight row {} is zero, must have a direction", method, k));
  return {};
}

Status check_normalisation(const SourceModel& source, NormaliseKind kind) {
  if (!source.has_mean())
    return invalid("normalise: the source has no feature mean; add the mean of the training features to it");
  if (kind == NormaliseKind::kStandardise && source.card().variance.empty())
    return invalid(
        "normalise: kind = standardise needs the card's variance, the source has none; make a card from labelled rows "
        "of the training period (stad card)");
  return {};
}

Status check_guard_size(const SourceModel& source) {
  constexpr Index kMostClasses = 16'384;  // 1 GB of float32
  if (source.classes() <= kMostClasses) return {};
  return invalid(
      fmt::format("stad-safe: the source has {} classes, must have at most {}: the method keeps a matrix "
                  "with a row and a column for each of them; use another method",
                  source.classes(), kMostClasses));
}

Status check_takes_labels(const Adapter& adapter) {
  if (adapter.takes_labels()) return {};
  if (adapter.method() == "stad-safe")
    return invalid("stad-safe takes labels only with candidates; set label_budget, or candidates");
  return invalid(fmt::format("{} takes no labels, stad-vmf and stad-safe with label_budget do", adapter.method()));
}

Status check_labels(const Adapter& adapter, std::span<const std::int64_t> labels, Index count, const char* counted) {
  STAD_TRY(check_takes_labels(adapter));
  if (static_cast<Index>(labels.size()) != count)
    return invalid(fmt::format("labels: there are {} for {} {}, must be as many", labels.size(), count, counted));
  const Index classes = adapter.source().classes();
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] < 0 || labels[i] >= classes)
      return invalid(fmt::format("labels: number {} is {}, must be from 0 to {}", i, labels[i], classes - 1));
  return {};
}

}  // namespace stad
