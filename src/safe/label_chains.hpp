#pragma once

#include <vector>

#include "math/eigen.hpp"

namespace stad::safe {

/// Smooths posteriors along rows whose labels persist. A chain says that a row has the label of the row before with
/// chance s, any label otherwise, and that posteriors are worth their power b: classifiers under drift are too sure of
/// themselves. A small bank of chains, each with its own s and b, weighted by how well it has predicted the rows so
/// far; one more says that rows are independent. [safe-chains]
class LabelChains {
 public:
  explicit LabelChains(Index classes);

  /// Posteriors, n x K, become smoothed ones.
  void smooth(FloatRowsMap posteriors) const;
  /// The same, and the chains move on to the last row.
  void advance(FloatRowsMap posteriors);
  /// Where labels do not persist: the chains start again from the last row.
  void start_from(const FloatRowsMap& posteriors);

  template <typename Visitor>
  void visit(Visitor&& visit) {
    visit.probabilities("beliefs", beliefs_);
    visit.numbers("scores", scores_, -1e9, 1e9);
  }

 private:
  FloatRows beliefs_;           ///< K x chains: of the newest row's label
  std::vector<double> scores_;  ///< log-likelihood of the rows, fading, above that of independent ones
};

}  // namespace stad::safe
