#pragma once

#include <span>

#include "math/tridiagonal.hpp"

namespace stad::gaussian {

/// The samples of one class at one step.
struct ClassSamples {
  VectorMap mean;                                      ///< L^-1 mu^-, D
  const MatrixMap& whitened;                           ///< L^-1 h_n in columns, D x N
  Eigen::Ref<const Eigen::VectorXd> responsibilities;  ///< lambda_n, N
  std::span<const Index> rows;                         ///< the samples that count
  double mass;                                         ///< sum of all lambda_n
};

/// Moments, in the basis that makes Sigma_ems the identity and Sigma^- = T tridiagonal, of the mixture of beliefs that
/// each sample by itself would lead to.
struct MixtureMoments {
  VectorMap shift;       ///< mu^+ - mu^-, D
  MatrixMap covariance;  ///< Sigma^+, D x D

  MixtureMoments(Scratch& scratch, Index dimension)
      : shift(take_vector(scratch, dimension)), covariance(take_matrix(scratch, dimension, dimension)) {}
};

/// @param reduced Sigma^- in the metric of Sigma_ems, Q T Q^T; diagonalised on the way if that pays
void mixture_moments(Tridiagonal& reduced, const ClassSamples& mixture, MixtureMoments& moments);

}  // namespace stad::gaussian
