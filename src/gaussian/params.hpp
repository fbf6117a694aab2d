#pragma once

#include <vector>

#include "math/cholesky.hpp"
#include "math/eigen.hpp"

namespace stad::gaussian {

inline constexpr double kInitialTransitionVariance = 0.01;
inline constexpr double kInitialEmissionVariance = 0.5;

/// The parameters psi of the mixture of Kalman filters. double throughout: covariances of 1e-6 and of 1 meet here.
struct GaussParams {
  std::vector<SquareMatrix> transition;  ///< A_k, K of D x D
  SquareMatrix transition_noise;         ///< Sigma_trans, D x D, shared by the classes
  SquareMatrix emission_noise;           ///< Sigma_ems, D x D, shared by the classes

  GaussParams() = default;
  GaussParams(Index classes, Index dimension)
      : transition(static_cast<std::size_t>(classes), SquareMatrix::Identity(dimension, dimension)),
        transition_noise(kInitialTransitionVariance * SquareMatrix::Identity(dimension, dimension)),
        emission_noise(kInitialEmissionVariance * SquareMatrix::Identity(dimension, dimension)) {}
};

}  // namespace stad::gaussian
