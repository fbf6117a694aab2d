#pragma once

#include <optional>
#include <span>

#include <stad/eval/simulate.hpp>

#include "base/random.hpp"
#include "math/eigen.hpp"

namespace stad {

/// Random subspace in which scattered classes differ. It is not aligned with the axes, so that no single feature
/// separates the classes.
class SignalSpace {
 public:
  explicit SignalSpace(const SimulationSettings& settings);

  /// Projects rows onto the subspace and scales them to unit length.
  DoubleRows inside(const DoubleRows& rows) const;

  /// Amplifies the part of isotropic noise that is orthogonal to the subspace.
  void scatter(Eigen::RowVectorXd& noise) const;

 private:
  DoubleRows directions_;  // S x D, orthonormal rows
};

/// Abrupt changes happen at the beginning of the second half.
inline bool in_second_half(Index step, Index steps) { return 2 * step >= steps; }

/// Class centres of a simulated stream and their drift. Centres lie on a cone around a direction that all classes
/// share, as the features of a network that ends in rectified units do. Drift rotates each centre in its own direction
/// and shifts all of them. The unknown class, if any, is the last one and does not affect the others.
class DriftModel {
 public:
  using Centres = DoubleRows;

  explicit DriftModel(const SimulationSettings& settings);

  Centres before_drift() const;       ///< one row a class, for the training rows of the head
  Centres at_step(Index step) const;  ///< centres at a step; depends on the step alone

  /// Draws one row around a centre.
  void draw(Random& random, const Eigen::RowVectorXd& centre, std::span<float> row) const;

 private:
  /// Directions of the drift, of each class and of all classes together.
  struct DriftDirections {
    Centres away;              // unit rows
    Eigen::RowVectorXd shift;  // D, unit length
  };

  Centres class_directions(Random& random, Index rows) const;
  DriftDirections draw_directions(Random& random) const;
  Centres moved_centres(double moved, const DriftDirections& drift) const;  ///< `moved` in units of strength

  SimulationSettings settings_;
  std::optional<SignalSpace> signal_;  // set if classes are scattered
  Eigen::RowVectorXd common_;          // D, unit length, no negative entry
  Centres directions_;                 // unit rows
  DriftDirections drift_;              // of lasting drift
};

}  // namespace stad
