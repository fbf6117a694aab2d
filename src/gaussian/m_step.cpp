#include "gaussian/m_step.hpp"

#include <cmath>

#include "math/product.hpp"

namespace stad::gaussian {
namespace {

constexpr double kRidge = 1e-6;

/// E[w w^T]
void add_second_moment(const BeliefMap& belief, MatrixMap& sum) {
  sum += belief.covariance;
  sum.noalias() += belief.mean * belief.mean.transpose();
}

/// Sums over consecutive steps.
struct TransitionMoments {
  MatrixMap crossed;  ///< E[w_t w_{t-1}^T]
  MatrixMap before;   ///< E[w_{t-1} w_{t-1}^T]
  MatrixMap after;    ///< E[w_t w_t^T]

  TransitionMoments(Scratch& scratch, const Track& track, Index dimension)
      : crossed(take_matrix(scratch, dimension, dimension)),
        before(take_matrix(scratch, dimension, dimension)),
        after(take_matrix(scratch, dimension, dimension)) {
    crossed.setZero();
    before.setZero();
    after.setZero();
    for (std::size_t t = 1; t < track.smoothed.size(); ++t) {
      add_product(crossed, 1, track.smoothed[t].covariance, track.gains[t - 1]);
      crossed.noalias() += track.smoothed[t].mean * track.smoothed[t - 1].mean.transpose();
      add_second_moment(track.smoothed[t - 1], before);
      add_second_moment(track.smoothed[t], after);
    }
  }
};

/// A = crossed (before + r I)^-1, so A before A^T = crossed A^T - r A A^T and the scatter
/// after - crossed A^T - A crossed^T + A before A^T is after - (crossed + r A) A^T.
void learn_transition_of(TransitionMoments& moments, ClassFit& fit) {
  Scratch scratch;
  auto transposed = take_matrix(scratch, moments.crossed.rows(), moments.crossed.cols());
  transposed = moments.crossed.transpose();
  moments.before.diagonal().array() += kRidge;
  Cholesky(moments.before).solve_in_place(transposed);
  fit.transition = transposed.transpose();
  moments.crossed += kRidge * fit.transition;
  fit.transition_scatter = moments.after;
  add_product(fit.transition_scatter, -1, moments.crossed, transposed, Part::kLower);
}

/// The same scatter for an A that was not made from these moments.
void scatter_about(const TransitionMoments& moments, ClassFit& fit) {
  Scratch scratch;
  auto carried = take_matrix(scratch, moments.crossed.rows(), moments.crossed.cols());
  set_product(carried, 0.5, fit.transition, moments.before);
  carried -= moments.crossed;
  // after + (A before / 2 - crossed) A^T and its transpose
  fit.transition_scatter = moments.after;
  add_product(fit.transition_scatter, 1, carried, fit.transition.transpose(), Part::kLower);
  add_product(fit.transition_scatter, 1, fit.transition, carried.transpose(), Part::kLower);
}

/// Fills sqrt(m_k) c_k, sqrt(m_k) (c_k - w_k) and the sums of responsibilities of each sample over the classes that are
/// kept, and returns the sum of their masses m_k. The columns of other classes are zero.
double centre_classes(const GaussStep& step, const Assignment& evidence, std::span<const bool> kept, VectorMap weights,
                      MatrixMap centres, MatrixMap offsets) {
  weights.setZero();
  set_product(centres, 1, step.features.transpose(), evidence.responsibilities);
  double total = 0;
  for (Index k = 0; k < step.means.rows(); ++k) {
    const double mass = kept[k] ? evidence.responsibilities.col(k).sum() : 0;
    total += mass;
    if (mass > 0) {
      weights += evidence.responsibilities.col(k);
      centres.col(k) /= std::sqrt(mass);
      offsets.col(k) = centres.col(k) - std::sqrt(mass) * step.means.row(k).transpose();
    } else {
      centres.col(k).setZero();
      offsets.col(k).setZero();
    }
  }
  return total;
}

}  // namespace

void fit_class(Index k, const Track& track, std::span<const Assignment> evidence, const SquareMatrix& transition,
               bool learn_transition, ClassFit& fit) {
  fit.transition = transition;
  fit.transition_scatter.setZero();
  if (track.smoothed.size() > 1) {
    Scratch scratch;
    TransitionMoments moments(scratch, track, transition.rows());
    if (learn_transition)
      learn_transition_of(moments, fit);
    else
      scatter_about(moments, fit);
  }
  fit.emission_covariance.setZero();
  for (std::size_t t = 0; t < evidence.size(); ++t)
    fit.emission_covariance += evidence[t].responsibilities.col(k).sum() * track.smoothed[t].covariance;
}

// With m_k = sum_n lambda_nk and the mean c_k = sum_n lambda_nk h_n / m_k,
//   sum_nk lambda_nk (h_n - w_k)(h_n - w_k)^T = sum_n (sum_k lambda_nk) h_n h_n^T + sum_k m_k ((c_k - w_k)(c_k - w_k)^T
//   - c_k c_k^T):
// one product for all classes.
double add_emission_scatter(const GaussStep& step, const Assignment& evidence, std::span<const bool> kept,
                            MatrixMap scatter) {
  const Index classes = step.means.rows();
  const Index dimension = step.means.cols();
  const Index rows = step.features.rows();
  Scratch scratch;
  auto weighted = take_matrix(scratch, dimension, rows);
  auto weights = take_vector(scratch, rows);
  auto centres = take_matrix(scratch, dimension, classes);
  auto offsets = take_matrix(scratch, dimension, classes);
  const double total = centre_classes(step, evidence, kept, weights, centres, offsets);
  weighted = step.features.transpose();
  for (Index n = 0; n < rows; ++n) weighted.col(n) *= std::sqrt(weights[n]);
  add_product(scatter, 1, weighted, weighted.transpose(), Part::kLower);
  add_product(scatter, 1, offsets, offsets.transpose(), Part::kLower);
  add_product(scatter, -1, centres, centres.transpose(), Part::kLower);
  return total;
}

void set_covariance(const MatrixMap& scatter, double count, SquareMatrix& covariance) {
  covariance = scatter / count;
  mirror_lower(covariance);
  covariance.diagonal().array() += kRidge;
}

}  // namespace stad::gaussian
