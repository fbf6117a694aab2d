#pragma once

#include <span>
#include <vector>

#include "gaussian/e_step.hpp"

namespace stad::gaussian {

/// Contribution of one class to the new parameters.
struct ClassFit {
  MatrixMap transition;           ///< the new A_k
  MatrixMap transition_scatter;   ///< sum over consecutive steps of E[(w_t - A w_{t-1})(w_t - A w_{t-1})^T]
  MatrixMap emission_covariance;  ///< sum over steps of the responsibility in it, times the smoothed covariance

  ClassFit(Scratch& scratch, Index dimension)
      : transition(take_matrix(scratch, dimension, dimension)),
        transition_scatter(take_matrix(scratch, dimension, dimension)),
        emission_covariance(take_matrix(scratch, dimension, dimension)) {}
};

/// [gauss-transition], the class's terms of [gauss-transition-noise], and the prototype covariances of
/// [gauss-emission-noise].
void fit_class(Index k, const Track& track, std::span<const Assignment> evidence, const SquareMatrix& transition,
               bool learn_transition, ClassFit& fit);

/// The remaining terms of [gauss-emission-noise] at one step: the scatter of the samples about the means of the classes
/// in `kept`, added to the lower part of `scatter`. Returns the responsibility behind it.
double add_emission_scatter(const GaussStep& step, const Assignment& evidence, std::span<const bool> kept,
                            MatrixMap scatter);

/// scatter / count from what lies below the diagonal, symmetric and bounded away from singular.
void set_covariance(const MatrixMap& scatter, double count, SquareMatrix& covariance);

}  // namespace stad::gaussian
