#pragma once

#include <optional>
#include <span>

#include <stad/eval/simulate.hpp>

#include "base/random.hpp"
#include "math/eigen.hpp"
#include "simulate/signal_space.hpp"

namespace stad {

/// Where lasting changes that come at once begin.
inline bool in_second_half(Index step, Index steps) { return 2 * step >= steps; }

/// Where the classes are, and where they go. Centres lie on a cone around a direction that all classes share, as the
/// features of a network that ends in rectified units do; drift turns each of them its own way and shifts them all.
/// The unknown class, where there is one, is the last: the others are where they would be without it.
class World {
 public:
  using Centres = DoubleRows;

  explicit World(const SimulationSettings& settings);

  Centres before_drift() const;       ///< a row for each class, where the head is trained
  Centres at_step(Index step) const;  ///< the same after the drift; pure: the same step gives the same centres

  /// One row around a centre.
  void draw(Random& random, const Eigen::RowVectorXd& centre, std::span<float> row) const;

 private:
  /// Where drift leads: each class its own way, and all of them together.
  struct Course {
    Centres away;              // unit rows
    Eigen::RowVectorXd shift;  // D, unit length
  };

  Centres class_directions(Random& random, Index rows) const;
  Course draw_course(Random& random) const;
  Centres placed(double moved, const Course& course) const;  ///< `moved` in units of strength

  SimulationSettings settings_;
  std::optional<SignalSpace> signal_;  // none: classes are clusters
  Eigen::RowVectorXd common_;          // D, unit length, no negative entry
  Centres directions_;                 // unit rows
  Course course_;                      // of lasting drift
};

}  // namespace stad
