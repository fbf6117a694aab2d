#include "projection/layout.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "base/random.hpp"
#include "projection/affinities.hpp"
#include "support/random_rows.hpp"

namespace stad::testing {
namespace {

using testing::random_rows;

DoubleRows affinities_of(const DoubleRows& points, double perplexity) {
  return joint_affinities(conditional_affinities(squared_distances(points), perplexity));
}

/// KL(e P | Q) as it is written down, up to what does not depend on the layout: sum e p log(e p / q), whose
/// normaliser counts once however large e is, as in the gradient.
double divergence(const DoubleRows& p, double exaggeration, const Layout& y) {
  double normaliser = 0, sum = 0;
  for (Index i = 0; i < y.rows(); ++i)
    for (Index j = 0; j < y.rows(); ++j) {
      if (i == j) continue;
      const double w = 1 / (1 + (y.row(i) - y.row(j)).square().sum());
      normaliser += w;
      if (p(i, j) > 0) sum += exaggeration * p(i, j) * (std::log(p(i, j)) - std::log(w));
    }
  return sum + std::log(normaliser);
}

TEST(DivergenceGradient, AgreesWithFiniteDifferencesOfTheDivergence) {
  const auto p = affinities_of(random_rows<double>(23, 5, 1), 4);
  for (const double scale : {0.1, 1.0, 10.0})
    for (const double exaggeration : {1.0, 12.0}) {
      Layout y = scale * random_rows<double>(23, 2, 2).array();
      const Layout gradient = divergence_gradient(p, exaggeration, y);
      const double step = 1e-5;
      for (double* at = y.data(); at != y.data() + y.size(); ++at) {
        const double here = *at;
        *at = here + step;
        const double above = divergence(p, exaggeration, y);
        *at = here - step;
        const double below = divergence(p, exaggeration, y);
        *at = here;
        // Rounding of a divergence of up to 100 over this step leaves about 2e-9, the third derivative less.
        EXPECT_NEAR(gradient.data()[at - y.data()], (above - below) / (2 * step), 1e-8);
      }
    }
}

TEST(DivergenceGradient, SumsToZeroOverThePoints) {
  const auto p = affinities_of(random_rows<double>(65, 5, 3), 9);
  const Layout gradient = divergence_gradient(p, 1, random_rows<double>(65, 2, 4).array());
  EXPECT_LT(gradient.colwise().sum().abs().maxCoeff(), 1e-14);
}

TEST(Descend, LowersTheDivergenceAndEndsCentred) {
  const DoubleRows points = random_rows<double>(60, 8, 5);
  const auto p = affinities_of(points, 10);
  const Layout start = principal_layout(points, 0);
  const Layout end = descend(p, start, 750);
  // Points without structure: which of the many minima is reached differs with the last bits.
  EXPECT_LT(divergence(p, 1, end), 0.6 * divergence(p, 1, start));
  EXPECT_LT(end.colwise().mean().abs().maxCoeff(), 1e-12);
}

TEST(Descend, EndsWhereTheGradientVanishes) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const DoubleRows points = random_rows<double>(40, 8, seed);
    const auto p = affinities_of(points, 10);
    const Layout end = descend(p, principal_layout(points, seed), 3000);
    // What is left is below 1e-6, and differs with the processor's instructions.
    EXPECT_LT(divergence_gradient(p, 1, end).abs().maxCoeff(), 1e-5) << seed;
  }
}

TEST(PrincipalLayout, AgreesWithTheSingularValueDecomposition) {
  for (const Index d : {2, 7, 59, 60, 61, 200}) {
    DoubleRows points = random_rows<double>(60, d, 6);
    points.col(1) *= 1000;  // axes well apart, so that they are well determined
    points.col(0) *= 300;
    points.rowwise() -= points.colwise().mean().eval();
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(points, Eigen::ComputeThinU);
    const Layout layout = principal_layout(points, 7);
    for (const Index axis : {0, 1}) {
      Eigen::VectorXd expected = svd.matrixU().col(axis) * svd.singularValues()[axis];
      expected *= 1e-4 * std::sqrt(60.0) / svd.singularValues()[0];
      if (expected.dot(layout.col(axis).matrix()) < 0) expected = -expected;
      // Shaken by 1e-6, of which five deviations do not occur among 60 points.
      EXPECT_LT((layout.col(axis).matrix() - expected).cwiseAbs().maxCoeff(), 5e-6) << d;
    }
  }
}

TEST(PrincipalLayout, PartsEqualRows) {
  for (const Index d : {1, 3, 40}) {
    const Layout layout = principal_layout(DoubleRows::Zero(9, d), 8);
    for (Index i = 0; i < 9; ++i)
      for (Index j = 0; j < i; ++j) EXPECT_GT((layout.row(i) - layout.row(j)).matrix().norm(), 0);
    EXPECT_LT(layout.abs().maxCoeff(), 1e-5);
  }
}

}  // namespace
}  // namespace stad::testing
