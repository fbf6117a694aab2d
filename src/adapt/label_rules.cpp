#include "adapt/label_rules.hpp"

#include <fmt/format.h>

#include "base/try.hpp"

namespace stad {

Status check_takes_labels(const Adapter& adapter) {
  if (adapter.takes_labels()) return {};
  return invalid(fmt::format("{} takes no labels, stad-safe and stad-vmf do", adapter.method()));
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
