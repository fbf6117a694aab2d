#include "math/cholesky.hpp"

#include <gtest/gtest.h>

#include "math/product.hpp"
#include "math/tridiagonal.hpp"

namespace stad::testing {
namespace {

// Below, at and beyond one block, panel and tile.
constexpr Index kMatrixSizes[] = {1, 2, 3, 12, 33, 64, 65, 130, 300};

SquareMatrix random_covariance(Index size, Index rank) {
  const Eigen::MatrixXd factor = Eigen::MatrixXd::Random(size, rank);
  return factor * factor.transpose();
}

TEST(Cholesky, SolvesWhitensAndColours) {
  for (const Index size : kMatrixSizes) {
    const SquareMatrix s = random_covariance(size, size + 20);
    const Eigen::MatrixXd b = Eigen::MatrixXd::Random(size, 3);
    SquareMatrix factor = s;
    const Cholesky factored(factor);
    EXPECT_TRUE((factor * factor.transpose()).isApprox(s, 1e-10)) << size;
    Eigen::MatrixXd solved = b;
    factored.solve_in_place(solved);
    EXPECT_TRUE((s * solved).isApprox(b, 1e-8)) << size;
    Eigen::MatrixXd whitened = b;
    factored.whiten_in_place(whitened);
    Eigen::MatrixXd coloured(size, 3);
    factored.colour(whitened, coloured);
    EXPECT_TRUE(coloured.isApprox(b, 1e-9)) << size;
    SquareMatrix both = s;
    factored.whiten_both_sides_in_place(both);
    mirror_lower(both);
    EXPECT_TRUE(both.isApprox(SquareMatrix::Identity(size, size), 1e-8)) << size;
  }
}

TEST(Cholesky, WhitensManyColumnsAsItDoesFew) {
  for (const Index size : {3, 40}) {
    SquareMatrix s = random_covariance(size, size + 20);
    const Cholesky factored(s);
    const Eigen::MatrixXd b = Eigen::MatrixXd::Random(size, 5 * size);
    Eigen::MatrixXd many = b;
    factored.whiten_in_place(many);
    for (Index j = 0; j < b.cols(); ++j) {
      Eigen::MatrixXd one = b.col(j);
      factored.whiten_in_place(one);
      EXPECT_TRUE(many.col(j).isApprox(one, 1e-10)) << size << " " << j;
    }
  }
}

TEST(Cholesky, RepairsMatricesThatRoundingMadeIndefinite) {
  SquareMatrix s = random_covariance(12, 4);  // singular
  s.diagonal().array() -= 1e-13;
  Eigen::MatrixXd x = Eigen::MatrixXd::Random(12, 1);
  Cholesky(s).solve_in_place(x);
  EXPECT_TRUE(x.allFinite());
}

TEST(Product, AgreesWithEigenAcrossTiles) {
  for (const Index size : kMatrixSizes) {
    const Eigen::MatrixXd a = Eigen::MatrixXd::Random(size, 131);
    const Eigen::MatrixXd b = Eigen::MatrixXd::Random(131, size);
    SquareMatrix found(size, size);
    set_product(found, -2, a, b);
    EXPECT_TRUE(found.isApprox(-2 * a * b, 1e-12)) << size;
    set_product(found, 1, a, a.transpose(), Part::kLower);
    mirror_lower(found);
    EXPECT_TRUE(found.isApprox(a * a.transpose(), 1e-12)) << size;
  }
}

SquareMatrix rebuilt(const Tridiagonal& reduced) {
  SquareMatrix t = reduced.diagonal.asDiagonal();
  for (Index i = 0; i + 1 < reduced.size(); ++i) t(i, i + 1) = t(i + 1, i) = reduced.off_diagonal[i];
  return reduced.basis * t * reduced.basis.transpose();
}

TEST(Tridiagonal, IsTheSameMatrixInAnotherBasis) {
  for (const Index size : kMatrixSizes) {
    const SquareMatrix s = random_covariance(size, size);
    Scratch scratch;
    Tridiagonal reduced(scratch, size);
    SquareMatrix work = s.triangularView<Eigen::Lower>();
    tridiagonalise(work, reduced);
    EXPECT_TRUE(rebuilt(reduced).isApprox(s, 1e-11)) << size;
    EXPECT_TRUE((reduced.basis.transpose() * reduced.basis).isApprox(SquareMatrix::Identity(size, size), 1e-11));
    diagonalise(reduced);
    EXPECT_TRUE(rebuilt(reduced).isApprox(s, 1e-11)) << size;
    EXPECT_TRUE((reduced.off_diagonal.array() == 0).all());
  }
}

}  // namespace
}  // namespace stad::testing
