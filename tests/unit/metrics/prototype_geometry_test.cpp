#include <stad/eval/prototype_geometry.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <stad/threads.hpp>

#include "base/random.hpp"
#include "support/random_rows.hpp"

namespace stad::testing {
namespace {

using testing::random_matrix;

using Labels = std::vector<std::int64_t>;

Matrix matrix_from_rows(std::initializer_list<std::initializer_list<float>> rows) {
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(rows.begin()->size()));
  Index r = 0;
  for (const auto& row : rows) std::copy(row.begin(), row.end(), result.row(r++).begin());
  return result;
}

TEST(ClassCentres, WeighDirectionsAndNotLengths) {
  const auto centres = class_centres(matrix_from_rows({{100, 0}, {0, 0.01F}, {0, 3}}), Labels{0, 0, 1}, 2);
  EXPECT_FLOAT_EQ(centres(0, 0), static_cast<float>(std::sqrt(0.5)));
  EXPECT_FLOAT_EQ(centres(0, 1), static_cast<float>(std::sqrt(0.5)));
  EXPECT_EQ(centres, matrix_from_rows({{centres(0, 0), centres(0, 1)}, {0, 1}}));
}

TEST(ClassCentres, AreZeroForAbsentClassesAndRowsThatCancel) {
  const auto centres = class_centres(matrix_from_rows({{1, 2}, {-2, -4}, {0, 0}, {3, 4}}), Labels{0, 0, 1, 3}, 4);
  EXPECT_EQ(centres, matrix_from_rows({{0, 0}, {0, 0}, {0, 0}, {0.6F, 0.8F}}));
}

TEST(ClassCentres, CheckTheirLabels) {
  EXPECT_THROW(class_centres(matrix_from_rows({{1, 2}}), Labels{2}, 2), std::logic_error);
  EXPECT_THROW(class_centres(matrix_from_rows({{1, 2}}), Labels{0, 1}, 2), std::logic_error);
}

TEST(MeanAngle, IsTheMeanOverTheRows) {
  const auto a = matrix_from_rows({{1, 0}, {2, 0}, {3, 0}}), b = matrix_from_rows({{5, 0}, {0, 7}, {-1, 0}});
  EXPECT_NEAR(*mean_angle(a, b), (0 + 90 + 180) / 3.0, 1e-12);
}

TEST(MeanAngle, LeavesOutRowsWithoutDirection) {
  const auto a = matrix_from_rows({{0, 0}, {1, 1}, {1, 0}}), b = matrix_from_rows({{1, 0}, {0, 1}, {0, 0}});
  EXPECT_NEAR(*mean_angle(a, b), 45, 1e-12);
  EXPECT_FALSE(mean_angle(matrix_from_rows({{0, 0}}), matrix_from_rows({{1, 0}})));
}

TEST(MeanAngle, KeepsItsDigitsWhereTheCosineRoundsToOne) {
  for (const float slope : {1e-12F, 1e-9F, 1e-6F}) {
    const double degrees = std::atan(static_cast<double>(slope)) * 180 / std::numbers::pi;
    EXPECT_NEAR(*mean_angle(matrix_from_rows({{1, 0}}), matrix_from_rows({{1, slope}})) / degrees, 1, 1e-12);
  }
  EXPECT_EQ(*mean_angle(random_matrix(5, 7, 1), random_matrix(5, 7, 1)), 0);
}

TEST(Dispersion, OfASimplexIsItsOneAngle) {
  const auto triangle = matrix_from_rows({{1, 0, 0}, {0, 2, 0}, {0, 0, 3}});
  EXPECT_NEAR(*dispersion(triangle), 90, 1e-12);
  EXPECT_NEAR(*dispersion(matrix_from_rows({{1, 0}, {0, 0}, {-1, 0}, {0, 1}})), (180 + 90 + 90) / 3.0, 1e-12);
}

TEST(Dispersion, NeedsTwoDirections) {
  EXPECT_FALSE(dispersion(matrix_from_rows({{1, 0}, {0, 0}})));
  EXPECT_FALSE(dispersion(MatrixView()));
}

TEST(Dispersion, GivesTheSameBitsWhateverTheThreads) {
  const Matrix prototypes = random_matrix(150, 129, 2);
  const double alone = *dispersion(prototypes);
  set_threads(2);
  EXPECT_EQ(*dispersion(prototypes), alone);
  set_threads(1);
  EXPECT_NEAR(alone, 90, 1);  // in many dimensions all directions are nearly at right angles
}

}  // namespace
}  // namespace stad::testing
