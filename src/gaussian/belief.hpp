#pragma once

#include "math/cholesky.hpp"
#include "math/scratch_rows.hpp"

namespace stad::gaussian {

/// N(mean, covariance): posterior of one class's prototype at one step.
struct Belief {
  Eigen::VectorXd mean;     ///< D
  SquareMatrix covariance;  ///< D x D
};

/// The same in scratch memory.
struct BeliefMap {
  VectorMap mean;
  MatrixMap covariance;

  BeliefMap(Scratch& scratch, Index dimension)
      : mean(take_vector(scratch, dimension)), covariance(take_matrix(scratch, dimension, dimension)) {}
  BeliefMap(Belief& belief)
      : mean(belief.mean.data(), belief.mean.size()),
        covariance(belief.covariance.data(), belief.mean.size(), belief.mean.size()) {}

  Index dimension() const { return mean.size(); }
  /// Copies the values; the maps stay where they are.
  void set(const BeliefMap& other) {
    mean = other.mean;
    covariance = other.covariance;
  }
};

/// Whether mean and variances are of a size that unit-length features allow; a filter beyond it has diverged.
bool within_reach(const BeliefMap& belief);

}  // namespace stad::gaussian
