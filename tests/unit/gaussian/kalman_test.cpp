#include "gaussian/kalman.hpp"

#include <gtest/gtest.h>

#include "gaussian/e_step.hpp"
#include "support/random_stream.hpp"

namespace stad::gaussian {
namespace {

SquareMatrix covariance_of(Index size, double scale, unsigned seed) {
  std::srand(seed);
  const Eigen::MatrixXd factor = Eigen::MatrixXd::Random(size, size + 3);
  return scale * factor * factor.transpose();
}

constexpr Index kSize = 4;
constexpr Index kSteps = 4;

/// Every step observes the prototype once, with full responsibility: then the mixture update is the Kalman update
/// and the joint of all prototypes and observations is one Gaussian.
struct LinearModel {
  Belief start{Eigen::VectorXd::LinSpaced(kSize, -1, 1), covariance_of(kSize, 0.3, 1)};
  Params params = [] {
    Params p(1, kSize);
    p.transition[0] = SquareMatrix::Identity(kSize, kSize) + 0.1 * covariance_of(kSize, 0.2, 2);
    p.transition_noise = covariance_of(kSize, 0.05, 3);
    p.emission_noise = covariance_of(kSize, 0.1, 4);
    return p;
  }();
  Eigen::MatrixXd observations = Eigen::MatrixXd::Random(kSteps, kSize);

  Track track() const {
    const PositiveDefinite emission(params.emission_noise);
    std::vector<Evidence> evidence;
    for (Index t = 0; t < kSteps; ++t)
      evidence.push_back({emission.whiten(observations.row(t).transpose()), Eigen::MatrixXd::Ones(1, 1)});
    return *track_class(0, start, evidence, emission, params);
  }
};

/// The posterior of w_1 .. w_T given all observations, from the joint covariance written out in full.
Belief brute_force_posterior(const LinearModel& model) {
  const Index total = kSize * kSteps;
  const SquareMatrix& a = model.params.transition[0];
  Eigen::VectorXd mean(total);
  SquareMatrix joint = SquareMatrix::Zero(total, total);
  Eigen::VectorXd m = model.start.mean;
  SquareMatrix p = model.start.covariance;
  for (Index t = 0; t < kSteps; ++t) {
    m = a * m;
    p = a * p * a.transpose() + model.params.transition_noise;
    mean.segment(t * kSize, kSize) = m;
    SquareMatrix cross = p;  // Cov(w_u, w_t) = A^{u-t} P_t
    for (Index u = t; u < kSteps; ++u) {
      joint.block(u * kSize, t * kSize, kSize, kSize) = cross;
      joint.block(t * kSize, u * kSize, kSize, kSize) = cross.transpose();
      cross = a * cross;
    }
  }
  SquareMatrix observed = joint;
  Eigen::VectorXd h(total);
  for (Index t = 0; t < kSteps; ++t) {
    observed.block(t * kSize, t * kSize, kSize, kSize) += model.params.emission_noise;
    h.segment(t * kSize, kSize) = model.observations.row(t).transpose();
  }
  const PositiveDefinite door(observed);
  return {mean + joint * door.solve(h - mean), joint - joint * door.solve(joint)};
}

TEST(GaussSmoother, AgreesWithTheBruteForceJointGaussian) {
  const LinearModel model;
  const Belief expected = brute_force_posterior(model);
  const Track found = model.track();
  for (Index t = 0; t < kSteps; ++t) {
    const auto block = expected.covariance.block(t * kSize, t * kSize, kSize, kSize);
    EXPECT_TRUE(found.smoothed[t].mean.isApprox(expected.mean.segment(t * kSize, kSize), 1e-9)) << t;
    EXPECT_TRUE(found.smoothed[t].covariance.isApprox(block, 1e-8)) << t;
    if (t == 0) continue;
    // Cov(w_t, w_{t-1}) = Sigma_t J_{t-1}^T, which the M-step leans on.
    const auto cross = expected.covariance.block(t * kSize, (t - 1) * kSize, kSize, kSize);
    EXPECT_TRUE((found.smoothed[t].covariance * found.gains[t - 1].transpose()).isApprox(cross, 1e-8)) << t;
  }
}

TEST(GaussUpdate, WithoutEvidenceLetsThePredictionStand) {
  const LinearModel model;
  const PositiveDefinite emission(model.params.emission_noise);
  const Belief after = update(model.start, emission, Eigen::MatrixXd::Ones(kSize, 3), Eigen::VectorXd::Zero(3));
  EXPECT_EQ(after.mean, model.start.mean);
  EXPECT_EQ(after.covariance, model.start.covariance);
}

TEST(GaussUpdate, WorksFromASingularPrediction) {
  LinearModel model;
  model.start.covariance.setZero();
  const PositiveDefinite emission(model.params.emission_noise);
  const Belief after = update(model.start, emission, Eigen::MatrixXd::Ones(kSize, 3), Eigen::VectorXd::Ones(3));
  EXPECT_TRUE(after.mean.isApprox(model.start.mean, 1e-9));
}

TEST(GaussTrack, EndsWhereABeliefRunsOutOfReach) {
  LinearModel model;
  model.params.transition[0] *= 1e4;
  const PositiveDefinite emission(model.params.emission_noise);
  const std::vector<Evidence> evidence(3, {Eigen::MatrixXd(kSize, 0), Eigen::MatrixXd(0, 1)});
  EXPECT_FALSE(track_class(0, model.start, evidence, emission, model.params).has_value());
}

}  // namespace
}  // namespace stad::gaussian
