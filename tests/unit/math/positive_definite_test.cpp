#include "math/positive_definite.hpp"

#include <gtest/gtest.h>

namespace stad::testing {
namespace {

SquareMatrix random_covariance(Index size, Index rank) {
  const Eigen::MatrixXd factor = Eigen::MatrixXd::Random(size, rank);
  return factor * factor.transpose();
}

TEST(PositiveDefinite, SolvesWhitensAndColours) {
  const SquareMatrix s = random_covariance(12, 20);
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(12, 3);
  const PositiveDefinite factored(s);
  EXPECT_TRUE((s * factored.solve(b)).isApprox(b, 1e-8));
  EXPECT_TRUE(factored.colour(factored.whiten(b)).isApprox(b, 1e-10));
  EXPECT_NEAR(factored.whiten(b.col(0)).squaredNorm(), b.col(0).dot(factored.solve(b.col(0)).col(0)), 1e-8);
}

TEST(PositiveDefinite, RepairsMatricesThatRoundingMadeIndefinite) {
  SquareMatrix s = random_covariance(12, 4);  // singular
  s.diagonal().array() -= 1e-13;
  const Eigen::MatrixXd x = PositiveDefinite(s).solve(Eigen::MatrixXd::Random(12, 1));
  EXPECT_TRUE(x.allFinite());
}

}  // namespace
}  // namespace stad::testing
