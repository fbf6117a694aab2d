#include "gaussian/kalman.hpp"

#include "data/evidence.hpp"
#include "gaussian/mixture.hpp"
#include "math/product.hpp"

namespace stad::gaussian {
namespace {

constexpr double kLongestMean = 1e3;
constexpr double kLargestVariance = 1e6;
constexpr double kNegligibleShare = 1e-16;  // cannot move a sum of shares that is one

/// The samples whose share of the class's mass can be seen at all.
std::span<const Index> noticeable(const Eigen::Ref<const Eigen::VectorXd>& responsibilities, double mass,
                                  Scratch& scratch) {
  const auto rows = scratch.take<Index>(responsibilities.size());
  std::size_t count = 0;
  for (Index n = 0; n < responsibilities.size(); ++n)
    if (responsibilities[n] > kNegligibleShare * mass) rows[count++] = n;
  return rows.first(count);
}

}  // namespace

bool within_reach(const BeliefMap& belief) {
  return belief.mean.allFinite() && belief.covariance.allFinite() && belief.mean.norm() <= kLongestMean &&
         belief.covariance.diagonal().maxCoeff() <= kLargestVariance;
}

void predict(const BeliefMap& filtered, const SquareMatrix& transition, const SquareMatrix& noise, MatrixMap crossed,
             BeliefMap predicted) {
  predicted.mean.noalias() = transition * filtered.mean;
  set_product(crossed, 1, transition, filtered.covariance);
  predicted.covariance = noise;
  add_product(predicted.covariance, 1, crossed, transition.transpose(), Part::kLower);
  mirror_lower(predicted.covariance);
}

// All samples of a class share the pair (Sigma^-, Sigma_ems), so one basis B serves them all: with Sigma_ems = L L^T
// and L^-1 Sigma^- L^-T = Q T Q^T, B = L Q gives Sigma_ems = B B^T and Sigma^- = B T B^T. There the update of a sample
// takes O(D) operations (see mixture_moments). Nothing is inverted, so a nearly singular prediction does no harm.
void update(const BeliefMap& predicted, const Cholesky& emission, const MatrixMap& whitened,
            const Eigen::Ref<const Eigen::VectorXd>& responsibilities, BeliefMap filtered) {
  const double mass = responsibilities.sum();
  if (mass < kNoEvidence) return filtered.set(predicted);

  const Index dimension = predicted.dimension();
  Scratch scratch;
  const auto rows = noticeable(responsibilities, mass, scratch);
  auto work = take_matrix(scratch, dimension, dimension);
  work = predicted.covariance;
  emission.whiten_both_sides_in_place(work);
  Tridiagonal reduced(scratch, dimension);
  tridiagonalise(work, reduced);

  auto mean = take_vector(scratch, dimension);
  mean = predicted.mean;
  emission.whiten_in_place(mean);
  MixtureMoments moments(scratch, dimension);
  mixture_moments(reduced, {mean, whitened, responsibilities, rows, mass}, moments);

  auto basis = take_matrix(scratch, dimension, dimension);
  emission.colour(reduced.basis, basis);
  filtered.mean = predicted.mean;
  filtered.mean.noalias() += basis * moments.shift;
  set_product(work, 1, basis, moments.covariance);
  set_product(filtered.covariance, 1, work, basis.transpose(), Part::kLower);
  mirror_lower(filtered.covariance);
}

void smooth(const BeliefMap& filtered, BeliefMap predicted_next, const BeliefMap& smoothed_next, MatrixMap crossed,
            BeliefMap smoothed) {
  const Index dimension = filtered.dimension();
  Scratch scratch;
  auto difference = take_matrix(scratch, dimension, dimension);  // Sigma_next - Sigma^-_next
  auto carried = take_matrix(scratch, dimension, dimension);
  difference = smoothed_next.covariance - predicted_next.covariance;
  Cholesky(predicted_next.covariance).solve_in_place(crossed);

  auto correction = take_vector(scratch, dimension);
  correction = smoothed_next.mean - predicted_next.mean;
  smoothed.mean = filtered.mean;
  smoothed.mean.noalias() += crossed.transpose() * correction;
  set_product(carried, 1, difference, crossed);
  smoothed.covariance = filtered.covariance;
  add_product(smoothed.covariance, 1, crossed.transpose(), carried, Part::kLower);
  mirror_lower(smoothed.covariance);
}

}  // namespace stad::gaussian
