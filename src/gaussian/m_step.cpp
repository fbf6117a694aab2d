#include "gaussian/m_step.hpp"

namespace stad::gaussian {
namespace {

constexpr double kRidge = 1e-6;

/// E[w w^T]
SquareMatrix second_moment(const Belief& belief) { return belief.covariance + belief.mean * belief.mean.transpose(); }

void fit_transition(const Track& track, bool learn, ClassFit& fit) {
  const Index dimension = fit.transition.rows();
  SquareMatrix crossed = SquareMatrix::Zero(dimension, dimension);  // sum E[w_t w_{t-1}^T]
  SquareMatrix before = crossed;                                    // sum E[w_{t-1} w_{t-1}^T]
  SquareMatrix after = crossed;                                     // sum E[w_t w_t^T]
  for (std::size_t t = 1; t < track.smoothed.size(); ++t) {
    crossed += track.smoothed[t].covariance * track.gains[t - 1].transpose() +
               track.smoothed[t].mean * track.smoothed[t - 1].mean.transpose();
    before += second_moment(track.smoothed[t - 1]);
    after += second_moment(track.smoothed[t]);
  }
  if (learn) {
    const SquareMatrix ridged = before + kRidge * SquareMatrix::Identity(dimension, dimension);
    fit.transition = PositiveDefinite(symmetrised(ridged)).solve(crossed.transpose()).transpose();
  }
  const SquareMatrix& a = fit.transition;
  const SquareMatrix carried = crossed * a.transpose();
  fit.transition_scatter = after - carried - carried.transpose() + a * before * a.transpose();
}

void fit_emission(Index k, const Track& track, const std::deque<Step>& steps, const std::vector<Evidence>& evidence,
                  ClassFit& fit) {
  const Index dimension = fit.transition.rows();
  fit.emission_scatter = SquareMatrix::Zero(dimension, dimension);
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const Eigen::VectorXd lambda = evidence[t].responsibilities.col(k);
    Eigen::MatrixXd residuals = steps[t].features.transpose();
    residuals.colwise() -= track.smoothed[t].mean;
    residuals = residuals * lambda.cwiseSqrt().asDiagonal();
    fit.emission_scatter.noalias() += residuals * residuals.transpose();
    fit.emission_scatter += lambda.sum() * track.smoothed[t].covariance;
    fit.mass += lambda.sum();
  }
}

}  // namespace

ClassFit fit_class(Index k, const Track& track, const std::deque<Step>& steps, const std::vector<Evidence>& evidence,
                   const SquareMatrix& transition, bool learn_transition) {
  ClassFit fit;
  fit.transition = transition;
  fit.transition_scatter = SquareMatrix::Zero(transition.rows(), transition.cols());
  if (steps.size() > 1) fit_transition(track, learn_transition, fit);
  fit_emission(k, track, steps, evidence, fit);
  return fit;
}

SquareMatrix as_covariance(const SquareMatrix& scatter, double count) {
  return symmetrised(scatter / count) + kRidge * SquareMatrix::Identity(scatter.rows(), scatter.cols());
}

}  // namespace stad::gaussian
