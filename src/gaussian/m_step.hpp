#pragma once

#include <vector>

#include "gaussian/e_step.hpp"

namespace stad::gaussian {

/// What one class contributes to the new parameters.
struct ClassFit {
  SquareMatrix transition;          ///< the new A_k
  SquareMatrix transition_scatter;  ///< sum over consecutive steps of E[(w_t - A w_{t-1})(w_t - A w_{t-1})^T]
  SquareMatrix emission_scatter;    ///< sum over steps and samples of lambda_nk E[(h_n - w_k)(h_n - w_k)^T]
  double mass = 0;                  ///< sum over steps and samples of lambda_nk
};

/// [gauss-transition] and the class's terms of [gauss-transition-noise] and [gauss-emission-noise]
ClassFit fit_class(Index k, const Track& track, const std::deque<Step>& steps, const std::vector<Evidence>& evidence,
                   const SquareMatrix& transition, bool learn_transition);

/// Symmetric, and bounded away from singular.
SquareMatrix as_covariance(const SquareMatrix& scatter, double count);

}  // namespace stad::gaussian
