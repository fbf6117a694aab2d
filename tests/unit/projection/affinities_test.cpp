#include "projection/affinities.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "support/random_rows.hpp"

namespace stad::testing {
namespace {

using testing::random_rows;

double perplexity_of(const Eigen::Ref<const Eigen::RowVectorXd>& p) {
  double entropy = 0;
  for (const double x : p)
    if (x > 0) entropy -= x * std::log(x);
  return std::exp(entropy);
}

TEST(SquaredDistances, AreZeroBetweenEqualRowsAndSymmetric) {
  DoubleRows points = random_rows<double>(9, 5, 1);
  points.row(7) = points.row(2);
  const auto d = squared_distances(points);
  EXPECT_EQ(d(2, 7), 0);
  EXPECT_EQ(d, d.transpose());
  EXPECT_NEAR(d(0, 1), (points.row(0) - points.row(1)).squaredNorm(), 1e-15);
}

TEST(ConditionalAffinities, HaveThePerplexityAskedForAtAnyScale) {
  for (const double scale : {1e-30, 1.0, 1e30})
    for (const double perplexity : {1.5, 5.0, 33.0}) {
      const auto p = conditional_affinities(squared_distances(scale * random_rows<double>(100, 6, 2)), perplexity);
      for (Index i = 0; i < p.rows(); ++i) {
        EXPECT_NEAR(perplexity_of(p.row(i)) / perplexity, 1, 1e-9) << scale << " " << i;
        EXPECT_NEAR(p.row(i).sum(), 1, 1e-13);
        EXPECT_EQ(p(i, i), 0);
      }
    }
}

TEST(ConditionalAffinities, AreGaussianInTheDistance) {
  const auto d = squared_distances(random_rows<double>(40, 3, 3));
  const auto p = conditional_affinities(d, 8);
  // -log p rises by the same precision for every further unit of squared distance.
  const double precision = std::log(p(0, 1) / p(0, 2)) / (d(0, 2) - d(0, 1));
  for (Index j = 3; j < 40; ++j)
    EXPECT_NEAR(std::log(p(0, 1) / p(0, j)), precision * (d(0, j) - d(0, 1)), 1e-9 * (1 + precision * d(0, j)));
}

TEST(ConditionalAffinities, AreSharedEquallyAmongMoreDuplicatesThanThePerplexity) {
  DoubleRows points = random_rows<double>(20, 3, 4);
  for (Index i = 1; i < 8; ++i) points.row(i) = points.row(0);
  const auto p = conditional_affinities(squared_distances(points), 3);
  for (Index j = 1; j < 8; ++j) EXPECT_NEAR(p(0, j), 1.0 / 7, 1e-12);
  const auto equal = conditional_affinities(DoubleRows::Zero(5, 5), 1.2);
  EXPECT_DOUBLE_EQ(equal(3, 0), 0.25);
  EXPECT_EQ(equal(3, 3), 0);
}

TEST(JointAffinities, AreSymmetricAndSumToOne) {
  const auto p = joint_affinities(conditional_affinities(squared_distances(random_rows<double>(77, 4, 5)), 12));
  EXPECT_EQ(p, p.transpose());
  EXPECT_NEAR(p.sum(), 1, 1e-13);
  EXPECT_GE(p.minCoeff(), 0);
}

}  // namespace
}  // namespace stad::testing
