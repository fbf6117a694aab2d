#pragma once

#include <stad/simulate.hpp>

#include "math/eigen.hpp"

namespace stad {

/// Where the classes are, and where they go. Centres lie on a cone around a direction that all classes share, as the
/// features of a network that ends in rectified units do; drift turns each of them its own way and shifts them all.
class World {
 public:
  using Centres = DoubleRows;

  explicit World(const SimulationSettings& settings);

  Centres before_drift() const;       ///< K x D, where the head is trained
  Centres at_step(Index step) const;  ///< K x D; pure: the same step gives the same centres

 private:
  /// `reach` is the tangent of the angle each class direction has turned.
  Centres placed(double reach, const Centres& away, const Eigen::RowVectorXd& shift) const;

  SimulationSettings settings_;
  Eigen::RowVectorXd common_;  // D, unit length, no negative entry
  Centres directions_;         // K x D, unit rows
  Centres away_;               // K x D, unit rows, where lasting drift leads
  Eigen::RowVectorXd shift_;   // D, unit length
};

}  // namespace stad
