#pragma once

#include <vector>

#include <stad/matrix.hpp>

#include "safe/forgetting.hpp"

namespace stad::safe {

/// Whether labels persist from row to row, as they do where classes come in runs. Judged by the source's own labels,
/// which nothing that is learned can move: what is learned from persistence cannot prove it. [safe-persistence]
class Persistence {
 public:
  explicit Persistence(Index classes);

  void observe(Index label, double confidence);

  /// How alike neighbours are, between chance (0) and what a classifier this sure would show if every two of them had
  /// one label (1).
  double share() const;

  template <typename Visitor>
  void visit(Visitor&& visit) {
    visit.mean("alike", alike_);
    visit.mean("confidence", confidence_);
    visit.numbers("counts", counts_, 0, 1e9);
    visit.label("last", last_);
  }

 private:
  MovingMean alike_;
  MovingMean confidence_;
  std::vector<double> counts_;  ///< K, fading
  Index last_ = -1;
};

}  // namespace stad::safe
