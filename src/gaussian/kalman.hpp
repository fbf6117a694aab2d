#pragma once

#include "math/eigen.hpp"
#include "math/positive_definite.hpp"

namespace stad::gaussian {

/// N(mean, covariance): what is believed of one class's prototype at one step.
struct Belief {
  Eigen::VectorXd mean;     ///< D
  SquareMatrix covariance;  ///< D x D
};

/// Features have unit length: a prototype or a variance far beyond that has lost them for good.
bool within_reach(const Belief& belief);

/// mu^- = A mu^+, Sigma^- = Sigma_trans + A Sigma^+ A^T. [gauss-predict]
Belief predict(const Belief& filtered, const SquareMatrix& transition, const SquareMatrix& noise);

/// Conditions the prediction on every sample by itself, weighted by its responsibility, and moment-matches the
/// mixture of the results. [gauss-update] [gauss-mixture]
/// @param emission         Sigma_ems, factored
/// @param whitened         L^-1 h_n in columns, D x N, with L the factor of Sigma_ems
/// @param responsibilities lambda_nk of this class, N
Belief update(const Belief& predicted, const PositiveDefinite& emission, const Eigen::MatrixXd& whitened,
              const Eigen::VectorXd& responsibilities);

/// A smoothed belief and the gain J that links it to the next step's.
struct Smoothed {
  Belief belief;
  SquareMatrix gain;
};

/// Rauch, Tung and Striebel: J = Sigma^+ A^T (Sigma^-_next)^-1. [gauss-smooth]
Smoothed smooth(const Belief& filtered, const Belief& predicted_next, const Belief& smoothed_next,
                const SquareMatrix& transition);

}  // namespace stad::gaussian
