#include "safe/persistence.hpp"

#include <algorithm>

#include "math/eigen.hpp"

namespace stad::safe {
namespace {

// Counts of labels start at, and go back to, as many rows of every class: the first run of a stream must not look like
// a stream of one class.
constexpr double kPersistencePriorRows = 50;

}  // namespace

Persistence::Persistence(Index classes)
    : counts_(static_cast<std::size_t>(classes), kPersistencePriorRows / static_cast<double>(classes)) {}

void Persistence::observe(Index label, double confidence) {
  if (last_ >= 0) alike_.add(label == last_ ? 1 : 0);
  confidence_.add(confidence);
  auto counts = as_array(std::span(counts_));
  counts = kKeptByJudges * counts + (1 - kKeptByJudges) * kPersistencePriorRows / static_cast<double>(counts.size());
  counts_[label] += 1;
  last_ = label;
}

double Persistence::share() const {
  const auto counts = as_array(std::span(counts_));
  const double total = counts.sum();
  if (alike_.weight < 2 || total <= 0) return 0;
  const double chance = (counts / total).square().sum();
  const double sure = confidence_.value();
  // Two rows of one class get the same label if both are right, or are wrong in the same way.
  const double others = static_cast<double>(counts.size()) - 1;
  const double persistent = sure * sure + (1 - sure) * (1 - sure) / others;
  constexpr double kLeastRange = 0.1;  // below, the two cannot be told apart
  return (alike_.value() - chance) / std::max(persistent - chance, kLeastRange);
}

}  // namespace stad::safe
