#pragma once

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <Eigen/Core>

#include <stad/predictions.hpp>

#include "math/eigen.hpp"

namespace stad::testing {

/// Allowed difference of float32 from a float64 reference: 1e-4 in any probability. The label may differ only if the
/// two largest expected probabilities are within 1e-5 of each other.
inline constexpr double kProbabilityTolerance = 1e-4;
inline constexpr double kTie = 1e-5;

inline double largest_difference(const Matrix& found, const Eigen::MatrixXd& expected) {
  return (as_eigen(found).cast<double>() - expected).cwiseAbs().maxCoeff();
}

inline ::testing::AssertionResult agrees(const Predictions& found, const Eigen::MatrixXd& expected) {
  if (found.probabilities.rows() != expected.rows() || found.probabilities.cols() != expected.cols())
    return ::testing::AssertionFailure() << "shape " << found.probabilities.rows() << " x "
                                         << found.probabilities.cols() << ", expected " << expected.rows() << " x "
                                         << expected.cols();
  const double difference = largest_difference(found.probabilities, expected);
  if (!(difference <= kProbabilityTolerance))
    return ::testing::AssertionFailure() << "a probability differs by " << difference;
  for (Index n = 0; n < expected.rows(); ++n) {
    Index best = 0;
    const double top = expected.row(n).maxCoeff(&best);
    Eigen::VectorXd others = expected.row(n).transpose();
    others[best] = -1;
    if (top - others.maxCoeff() > kTie && found.labels[n] != best)
      return ::testing::AssertionFailure() << "row " << n << " has label " << found.labels[n] << ", expected " << best;
  }
  return ::testing::AssertionSuccess();
}

}  // namespace stad::testing
