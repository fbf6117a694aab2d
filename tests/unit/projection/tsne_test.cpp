#include <stad/eval/projection.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <stad/threads.hpp>

#include "base/random.hpp"
#include "math/eigen.hpp"

namespace stad::testing {
namespace {

constexpr Index kClusters = 5;

/// Row n belongs to cluster n mod 5, whose centre is far off along an axis of its own.
Matrix clusters(Index rows, Index cols, std::uint64_t seed, double distance = 10) {
  Random random(seed);
  Matrix points(rows, cols);
  for (Index n = 0; n < rows; ++n)
    for (Index d = 0; d < cols; ++d)
      points(n, d) = static_cast<float>(random.normal() + (d == n % kClusters ? distance : 0));
  return points;
}

double nearest_neighbour_agreement(const Matrix& layout) {
  const auto rows = as_eigen(layout);
  Index agreeing = 0;
  for (Index i = 0; i < rows.rows(); ++i) {
    Eigen::VectorXf distances = (rows.rowwise() - rows.row(i)).rowwise().squaredNorm();
    distances[i] = std::numeric_limits<float>::infinity();
    Index nearest = 0;
    distances.minCoeff(&nearest);
    agreeing += nearest % kClusters == i % kClusters;
  }
  return static_cast<double>(agreeing) / static_cast<double>(rows.rows());
}

std::string tsne_error(const Matrix& points, const TsneSettings& settings) {
  const auto result = tsne(points, settings);
  return result ? "accepted" : result.error().message;
}

TEST(Tsne, KeepsClustersApart) {
  const auto layout = *tsne(clusters(200, 20, 1));
  ASSERT_EQ(layout.rows(), 200);
  ASSERT_EQ(layout.cols(), 2);
  EXPECT_GT(nearest_neighbour_agreement(layout), 0.99);
  EXPECT_LT(as_eigen(layout).colwise().mean().norm(), 1e-4);  // centred, but for float32
}

TEST(Tsne, GivesTheSameBitsForTheSameSeedOnAnyNumberOfThreads) {
  const auto points = clusters(200, 20, 2, 3);
  const TsneSettings settings{.perplexity = 20, .iterations = 100, .seed = 9};
  const auto alone = *tsne(points, settings);
  EXPECT_EQ(*tsne(points, settings), alone);
  set_threads(2);
  EXPECT_EQ(*tsne(points, settings), alone);
  set_threads(1);
  EXPECT_NE(*tsne(points, {.perplexity = 20, .iterations = 100, .seed = 10}), alone);
}

TEST(Tsne, ReadsStridedRowsInPlace) {
  const auto wide = clusters(40, 12, 3);
  Matrix narrow(40, 7);
  as_eigen(narrow) = as_eigen(wide).leftCols(7);
  const TsneSettings settings{.perplexity = 5, .iterations = 100};
  EXPECT_EQ(*tsne({wide.data(), 40, 7, 12}, settings), *tsne(narrow, settings));
}

TEST(Tsne, IsFiniteForPointsThatAreEqual) {
  Matrix half = clusters(60, 4, 4);
  for (Index n = 0; n < 30; ++n) std::copy(half.row(30).begin(), half.row(30).end(), half.row(n).begin());
  for (const Matrix& points : {half, Matrix(60, 4)})
    EXPECT_TRUE(as_eigen(*tsne(points, {.perplexity = 10})).allFinite());
}

TEST(Tsne, IsFiniteForFewPointsFewDimensionsAndValuesOfAnySize) {
  for (const Index rows : {4, 5, 9, 17})
    for (const Index cols : {1, 2, 40})
      for (const float scale : {1e-38F, 1.0F, 1e37F}) {
        Matrix points = clusters(rows, cols, static_cast<std::uint64_t>(rows), 1);
        for (Index i = 0; i < points.size(); ++i) points.data()[i] *= scale;
        const auto layout = *tsne(points, {.perplexity = 1});
        EXPECT_TRUE(as_eigen(layout).allFinite()) << rows << " x " << cols << " of size " << scale;
        EXPECT_GT(as_eigen(layout).norm(), 0);
      }
}

TEST(Tsne, RefusesTooFewAndTooManyPoints) {
  EXPECT_EQ(tsne_error(Matrix(3, 2), {.perplexity = 1}), "tsne: 3 points, must be from 4 to 1000");
  EXPECT_EQ(tsne_error(Matrix(1001, 2), {}), "tsne: 1001 points, must be from 4 to 1000");
  EXPECT_EQ(tsne_error(Matrix(50, 0), {.perplexity = 5}), "tsne: points have 0 dimensions, must be at least 1");
}

TEST(Tsne, RefusesPerplexitiesThatThePointsCannotGive) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto rule = [](const std::string& value) {
    return "tsne: perplexity = " + value + ", must be from 1 to 16.3333, which is (points - 1) / 3 for 50 points";
  };
  EXPECT_EQ(tsne_error(Matrix(50, 2), {}), rule("30"));
  EXPECT_EQ(tsne_error(Matrix(50, 2), {.perplexity = 0.5}), rule("0.5"));
  EXPECT_EQ(tsne_error(Matrix(50, 2), {.perplexity = kNan}), rule("nan"));
}

TEST(Tsne, RefusesValuesThatAreNotFiniteAndIterationsOutOfRange) {
  Matrix points(50, 2);
  points(7, 1) = std::numeric_limits<float>::infinity();
  EXPECT_EQ(tsne_error(points, {.perplexity = 5}), "tsne: point 7 has the value inf, must be finite");
  EXPECT_EQ(tsne_error(Matrix(50, 2), {.perplexity = 5, .iterations = 0}),
            "tsne: iterations = 0, must be a whole number from 1 to 100000");
}

}  // namespace
}  // namespace stad::testing
