#include "gaussian/kalman.hpp"

#include <vector>

#include <Eigen/Eigenvalues>

#include "data/evidence.hpp"

namespace stad::gaussian {
namespace {

constexpr double kLongestMean = 1e3;
constexpr double kLargestVariance = 1e6;
constexpr double kNegligibleShare = 1e-16;  // cannot move a sum of shares that is one

/// The samples whose share of the class's mass can be seen at all.
std::vector<Index> noticeable(const Eigen::VectorXd& responsibilities, double mass) {
  std::vector<Index> rows;
  for (Index n = 0; n < responsibilities.size(); ++n)
    if (responsibilities[n] > kNegligibleShare * mass) rows.push_back(n);
  return rows;
}

}  // namespace

bool within_reach(const Belief& belief) {
  return belief.mean.allFinite() && belief.covariance.allFinite() && belief.mean.norm() <= kLongestMean &&
         belief.covariance.diagonal().maxCoeff() <= kLargestVariance;
}

Belief predict(const Belief& filtered, const SquareMatrix& transition, const SquareMatrix& noise) {
  return {transition * filtered.mean, symmetrised(noise + transition * filtered.covariance * transition.transpose())};
}

// All samples of a class share the pair (Sigma^-, Sigma_ems), so one basis B serves them all: with Sigma_ems = L L^T
// and L^-1 Sigma^- L^-T = U diag(d) U^T, B = L U gives Sigma_ems = B B^T and Sigma^- = B diag(d) B^T. There, with
// m = B^-1 mu^- and x_n = B^-1 h_n, the update is a division for each coordinate:
//   Sigma_n^+ = B diag(d / (1 + lambda_n d)) B^T,   mu_n^+ = B (m + lambda_n d x_n) / (1 + lambda_n d).
// Nothing is inverted, so a nearly singular prediction does no harm.
Belief update(const Belief& predicted, const PositiveDefinite& emission, const Eigen::MatrixXd& whitened,
              const Eigen::VectorXd& responsibilities) {
  const double mass = responsibilities.sum();
  if (mass < kNoEvidence) return predicted;

  const SquareMatrix half = emission.whiten(predicted.covariance);
  const Eigen::SelfAdjointEigenSolver<SquareMatrix> eigen(symmetrised(emission.whiten(half.transpose())));
  const Eigen::ArrayXd d = eigen.eigenvalues().array().max(0);
  const SquareMatrix& u = eigen.eigenvectors();

  const auto rows = noticeable(responsibilities, mass);
  const Eigen::ArrayXd m = (u.transpose() * emission.whiten(predicted.mean)).array();
  Eigen::MatrixXd y = u.transpose() * whitened(Eigen::all, rows);  // x_n, then mu_n^+ in the basis B
  Eigen::VectorXd shares(static_cast<Index>(rows.size()));         // alpha_n
  Eigen::ArrayXd spread = Eigen::ArrayXd::Zero(d.size());          // sum_n alpha_n d / (1 + lambda_n d)
  for (Index i = 0; i < shares.size(); ++i) {
    const double lambda = responsibilities[rows[i]];
    const Eigen::ArrayXd shrink = (1 + lambda * d).inverse();
    shares[i] = lambda / mass;
    y.col(i) = (m + lambda * d * y.col(i).array()) * shrink;
    spread += shares[i] * d * shrink;
  }

  const Eigen::VectorXd mean = y * shares;
  const Eigen::MatrixXd centred = (y.colwise() - mean) * shares.cwiseSqrt().asDiagonal();
  SquareMatrix covariance = centred * centred.transpose();
  covariance.diagonal() += spread.matrix();

  const SquareMatrix b = emission.colour(u);
  return {b * mean, symmetrised(b * covariance * b.transpose())};
}

Smoothed smooth(const Belief& filtered, const Belief& predicted_next, const Belief& smoothed_next,
                const SquareMatrix& transition) {
  const SquareMatrix crossed = transition * filtered.covariance;
  SquareMatrix gain = PositiveDefinite(predicted_next.covariance).solve(crossed).transpose();
  Belief belief{filtered.mean + gain * (smoothed_next.mean - predicted_next.mean),
                symmetrised(filtered.covariance +
                            gain * (smoothed_next.covariance - predicted_next.covariance) * gain.transpose())};
  return {std::move(belief), std::move(gain)};
}

}  // namespace stad::gaussian
