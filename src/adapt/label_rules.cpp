#include "adapt/label_rules.hpp"

#include <fmt/format.h>

namespace stad {

Status check_labels(const Adapter& adapter, std::span<const std::int64_t> labels, Index count, const char* counted) {
  if (!adapter.takes_labels()) return invalid(fmt::format("{} takes no labels, stad-safe does", adapter.method()));
  if (static_cast<Index>(labels.size()) != count)
    return invalid(fmt::format("labels: there are {} for {} {}, must be as many", labels.size(), count, counted));
  const Index classes = adapter.source().classes();
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels[i] < 0 || labels[i] >= classes)
      return invalid(fmt::format("labels: number {} is {}, must be from 0 to {}", i, labels[i], classes - 1));
  return {};
}

}  // namespace stad
