#pragma once

#include <stad/eval/simulate.hpp>

#include "math/eigen.hpp"

namespace stad {

/// The few directions along which scattered classes differ. They lie anywhere, so that no single feature shows them.
class SignalSpace {
 public:
  explicit SignalSpace(const SimulationSettings& settings);

  /// What of each row lies in the space, as unit rows.
  DoubleRows inside(const DoubleRows& rows) const;

  /// Makes noise that is the same in every direction far larger outside the space.
  void scatter(Eigen::RowVectorXd& noise) const;

 private:
  DoubleRows directions_;  // S x D, orthonormal rows
};

}  // namespace stad
