#pragma once

#include "math/cholesky.hpp"
#include "math/scratch_rows.hpp"

namespace stad::gaussian {

/// N(mean, covariance): what is believed of one class's prototype at one step.
struct Belief {
  Eigen::VectorXd mean;     ///< D
  SquareMatrix covariance;  ///< D x D
};

/// The same in a call's working memory.
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

/// Features have unit length: a prototype or a variance far beyond that has lost them for good.
bool within_reach(const BeliefMap& belief);

}  // namespace stad::gaussian
