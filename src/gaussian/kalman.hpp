#pragma once

#include "gaussian/belief.hpp"
#include "math/cholesky.hpp"

namespace stad::gaussian {

/// mu^- = A mu^+, Sigma^- = Sigma_trans + A Sigma^+ A^T. [gauss-predict]
/// @param crossed A Sigma^+, which smooth() needs again
void predict(const BeliefMap& filtered, const SquareMatrix& transition, const SquareMatrix& noise, MatrixMap crossed,
             BeliefMap predicted);

/// Conditions the prediction on every sample by itself, weighted by its responsibility, and moment-matches the
/// mixture of the results. [gauss-update] [gauss-mixture]
/// @param emission         Sigma_ems, factored
/// @param whitened         L^-1 h_n in columns, D x N, with L the factor of Sigma_ems
/// @param responsibilities lambda_nk of this class, N
void update(const BeliefMap& predicted, const Cholesky& emission, const MatrixMap& whitened,
            const Eigen::Ref<const Eigen::VectorXd>& responsibilities, BeliefMap filtered);

/// Rauch, Tung and Striebel: J = Sigma^+ A^T (Sigma^-_next)^-1. [gauss-smooth]
/// @param predicted_next its covariance is used up
/// @param crossed        A Sigma^+ before, J^T after
void smooth(const BeliefMap& filtered, BeliefMap predicted_next, const BeliefMap& smoothed_next, MatrixMap crossed,
            BeliefMap smoothed);

}  // namespace stad::gaussian
