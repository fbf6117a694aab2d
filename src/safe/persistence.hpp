#pragma once

#include <optional>
#include <span>
#include <vector>

#include "safe/params.hpp"

namespace stad::safe {

/// Pairs of equal neighbours in a sequence of labels, with their exact mean and variance over all its permutations.
struct AdjacencyMoments {
  double observed = 0;
  double mean = 0;
  double variance = 0;
  double pairs = 0;
};

/// @param labels at least four, each from 0 to classes - 1
AdjacencyMoments adjacency_moments(std::span<const Index> labels, Index classes);

/// Tests whether predicted labels persist from row to row, against all orders of the same labels: a source that answers
/// one class is no evidence.
class PersistenceTest {
 public:
  PersistenceTest(Index classes, const Params& params);

  void add(std::span<const Index> labels, std::optional<double> time);

  double zeta() const;    ///< excess of equal neighbours in standard deviations; 0 before the first window is closed
  double excess() const;  ///< the same as a share of the possible excess

  /// What a state holds.
  struct State {
    std::vector<Index> window;              ///< labels of the open window
    std::vector<AdjacencyMoments> windows;  ///< closed, oldest first
    std::optional<double> time;             ///< of the last row
  };
  const State& state() const { return state_; }
  void restore(State state);

 private:
  void close_window();
  AdjacencyMoments sum() const;

  Index classes_;
  Params params_;
  State state_;
};

}  // namespace stad::safe
