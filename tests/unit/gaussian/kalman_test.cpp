#include "gaussian/kalman.hpp"

#include <vector>

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "gaussian/e_step.hpp"
#include "gaussian/m_step.hpp"
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
  GaussParams params = [] {
    GaussParams p(1, kSize);
    p.transition[0] = SquareMatrix::Identity(kSize, kSize) + 0.1 * covariance_of(kSize, 0.2, 2);
    p.transition_noise = covariance_of(kSize, 0.05, 3);
    p.emission_noise = covariance_of(kSize, 0.1, 4);
    return p;
  }();
  Eigen::MatrixXd observations = Eigen::MatrixXd::Random(kSteps, kSize);

  /// Each step its observation, with full responsibility.
  std::vector<Assignment> evidence(const Cholesky& emission, Scratch& scratch) const {
    std::vector<Assignment> all;
    for (Index t = 0; t < kSteps; ++t) {
      Assignment& one = all.emplace_back(scratch, 1, kSize, 1);
      whiten_rows(DoubleRows(observations.row(t)), emission, one.whitened);
      one.responsibilities.setOnes();
    }
    return all;
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
  const Eigen::LLT<SquareMatrix> factor(observed);
  return {mean + joint * factor.solve(h - mean), joint - joint * factor.solve(joint)};
}

TEST(GaussSmoother, AgreesWithTheBruteForceJointGaussian) {
  LinearModel model;
  const Belief expected = brute_force_posterior(model);
  const Cholesky emission(model.params.emission_noise);
  Scratch scratch;
  const auto evidence = model.evidence(emission, scratch);
  const Track found = *track_class(0, model.start, evidence, emission, model.params, scratch);
  for (Index t = 0; t < kSteps; ++t) {
    const auto block = expected.covariance.block(t * kSize, t * kSize, kSize, kSize);
    EXPECT_TRUE(found.smoothed[t].mean.isApprox(expected.mean.segment(t * kSize, kSize), 1e-9)) << t;
    EXPECT_TRUE(found.smoothed[t].covariance.isApprox(block, 1e-8)) << t;
    if (t == 0) continue;
    // Cov(w_t, w_{t-1}) = Sigma_t J_{t-1}^T, which the M-step leans on.
    const auto cross = expected.covariance.block(t * kSize, (t - 1) * kSize, kSize, kSize);
    EXPECT_TRUE((found.smoothed[t].covariance * found.gains[t - 1]).isApprox(cross, 1e-8)) << t;
  }
}

/// [gauss-update] and [gauss-mixture] as they are printed, an inverse a sample.
Belief printed_update(const Belief& predicted, const SquareMatrix& emission, const Eigen::MatrixXd& features,
                      const Eigen::VectorXd& lambda) {
  const SquareMatrix precision = predicted.covariance.inverse();
  const SquareMatrix emission_precision = emission.inverse();
  Belief result{Eigen::VectorXd::Zero(predicted.mean.size()), 0 * predicted.covariance};
  std::vector<Eigen::VectorXd> means;
  for (Index n = 0; n < lambda.size(); ++n) {
    const SquareMatrix covariance = (precision + lambda[n] * emission_precision).inverse();
    means.push_back(covariance *
                    (precision * predicted.mean + lambda[n] * emission_precision * features.row(n).transpose()));
    result.mean += lambda[n] / lambda.sum() * means.back();
    result.covariance += lambda[n] / lambda.sum() * covariance;
  }
  for (Index n = 0; n < lambda.size(); ++n)
    result.covariance += lambda[n] / lambda.sum() * (means[n] - result.mean) * (means[n] - result.mean).transpose();
  return result;
}

Belief updated(Belief predicted, SquareMatrix emission, const DoubleRows& features, const Eigen::VectorXd& lambda) {
  Belief filtered = predicted;
  Scratch scratch;
  const Cholesky factored(emission);
  auto whitened = take_matrix(scratch, features.cols(), features.rows());
  whiten_rows(features, factored, whitened);
  update(predicted, factored, whitened, lambda, filtered);
  return filtered;
}

TEST(GaussUpdate, AgreesWithThePrintedOneForFewSamplesAndForMany) {
  for (const Index size : {2, 5, 40})
    for (const Index samples : {Index{1}, Index{7}, 4 * size, 4 * size + 1, Index{300}}) {
      const Belief predicted{Eigen::VectorXd::Random(size), covariance_of(size, 0.3, 5)};
      const SquareMatrix emission = covariance_of(size, 0.1, 6);
      const DoubleRows features = DoubleRows::Random(samples, size);
      const Eigen::VectorXd lambda = Eigen::VectorXd::Random(samples).cwiseAbs();
      const Belief expected = printed_update(predicted, emission, features, lambda);
      const Belief found = updated(predicted, emission, features, lambda);
      EXPECT_TRUE(found.mean.isApprox(expected.mean, 1e-8)) << size << " " << samples;
      EXPECT_TRUE(found.covariance.isApprox(expected.covariance, 1e-8)) << size << " " << samples;
      EXPECT_EQ(found.covariance, found.covariance.transpose());
    }
}

TEST(GaussUpdate, WithoutEvidenceLetsThePredictionStand) {
  const LinearModel model;
  const Belief after =
      updated(model.start, model.params.emission_noise, DoubleRows::Ones(3, kSize), Eigen::VectorXd::Zero(3));
  EXPECT_EQ(after.mean, model.start.mean);
  EXPECT_EQ(after.covariance, model.start.covariance);
}

TEST(GaussUpdate, WorksFromASingularPrediction) {
  LinearModel model;
  model.start.covariance.setZero();
  for (const Index samples : {3, 30}) {
    const Belief after = updated(model.start, model.params.emission_noise, DoubleRows::Ones(samples, kSize),
                                 Eigen::VectorXd::Ones(samples));
    EXPECT_TRUE(after.mean.isApprox(model.start.mean, 1e-9));
  }
}

TEST(GaussTrack, EndsWhereABeliefRunsOutOfReach) {
  LinearModel model;
  model.params.transition[0] *= 1e4;
  const Cholesky emission(model.params.emission_noise);
  Scratch scratch;
  const std::vector<Assignment> evidence(3, Assignment(scratch, 0, kSize, 1));
  EXPECT_FALSE(track_class(0, model.start, evidence, emission, model.params, scratch).has_value());
}

TEST(GaussEmissionNoise, IsTheScatterOfTheSamplesAboutTheirMeans) {
  constexpr Index kRows = 9, kClasses = 3;
  GaussStep step{DoubleRows::Random(kRows, kSize), DoubleRows::Random(kClasses, kSize), {}};
  Scratch scratch;
  Assignment evidence(scratch, kRows, kSize, kClasses);
  evidence.responsibilities = Eigen::MatrixXd::Random(kRows, kClasses).cwiseAbs();
  evidence.responsibilities.col(1).setZero();
  const bool kept[kClasses] = {true, true, false};
  SquareMatrix expected = SquareMatrix::Zero(kSize, kSize);
  for (Index n = 0; n < kRows; ++n) {
    const Eigen::VectorXd residual = (step.features.row(n) - step.means.row(0)).transpose();
    expected += evidence.responsibilities(n, 0) * residual * residual.transpose();
  }
  auto found = take_matrix(scratch, kSize, kSize);
  found.setZero();
  const double mass = add_emission_scatter(step, evidence, kept, found);
  EXPECT_NEAR(mass, evidence.responsibilities.col(0).sum(), 1e-12);
  EXPECT_TRUE(SquareMatrix(found.triangularView<Eigen::Lower>())
                  .isApprox(SquareMatrix(expected.triangularView<Eigen::Lower>()), 1e-10));
}

}  // namespace
}  // namespace stad::gaussian
