#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "math/inner_product.hpp"
#include "math/nearest_rows.hpp"
#include "math/softmax.hpp"
#include "math/unit_rows.hpp"
#include "math/wide_products.hpp"
#include "support/random_rows.hpp"

namespace stad::testing {
namespace {

using testing::random_matrix;

TEST(UnitRows, HaveUnitLengthWhateverTheScale) {
  for (const float scale : {1e-30F, 1e-10F, 1.0F, 1e10F, 1e15F}) {
    Matrix m = random_matrix(5, 33, 1);
    for (Index i = 0; i < m.size(); ++i) m.data()[i] *= scale;
    const auto unit = unit_rows<float>(m);
    ASSERT_EQ(unit.rows.rows(), 5);
    for (Index r = 0; r < 5; ++r) EXPECT_NEAR(unit.rows.row(r).norm(), 1, 1e-6);
  }
}

TEST(UnitRows, LeaveOutRowsWithoutDirection) {
  Matrix m = random_matrix(4, 8, 2);
  std::fill(m.row(1).begin(), m.row(1).end(), 0.0F);
  EXPECT_EQ(unit_rows<double>(m).directed, (std::vector<Index>{0, 2, 3}));
  const auto center = m.row(2);
  EXPECT_EQ(unit_rows<double>(m, center).directed, (std::vector<Index>{0, 1, 3}));
}

TEST(UnitRows, ReadStridedRowsInPlace) {
  const Matrix wide = random_matrix(4, 12, 3);
  const MatrixView narrow(wide.data(), 4, 5, 12);
  const auto unit = unit_rows<double>(narrow);
  for (Index r = 0; r < 4; ++r) EXPECT_NEAR(unit.rows.row(r).norm(), 1, 1e-14);
}

TEST(InnerProduct, AgreesWithAPlainSumAtOddLengths) {
  for (const Index length : {1, 2, 15, 16, 17, 31, 32, 33, 1000}) {
    const Matrix a = random_matrix(2, length, 4);
    double expected = 0;
    for (Index i = 0; i < length; ++i) expected += static_cast<double>(a(0, i)) * a(1, i);
    EXPECT_NEAR(inner_product(a.row(0), a.row(1)), expected, 1e-10);
  }
}

TEST(InnerProduct, GivesTheSameBitsWhereverTheRowsLie) {
  const Matrix a = random_matrix(1, 129, 5);
  std::vector<float> shifted(140);
  const double expected = inner_product(a.row(0), a.row(0));
  for (std::size_t offset = 0; offset < 8; ++offset) {
    std::copy(a.row(0).begin(), a.row(0).end(), shifted.begin() + static_cast<Index>(offset));
    const std::span<const float> moved(shifted.data() + offset, 129);
    EXPECT_EQ(inner_product(moved, moved), expected);
  }
}

TEST(RowProducts, AgreeWithPlainSumsAtOddShapes) {
  for (const Index rows : {1, 3, 4, 9})
    for (const Index others : {1, 2, 5, 8, 700})
      for (const Index length : {1, 7, 8, 9, 64, 513}) {
        const Matrix a = random_matrix(rows, length, 5);
        const Matrix b = random_matrix(others, length, 6);
        DoubleRows found(rows, others);
        wide_products(rows_view(a), rows_view(b), Eigen::Map<DoubleRows>(found.data(), rows, others));
        const DoubleRows expected = as_eigen(a).cast<double>() * as_eigen(b).cast<double>().transpose();
        ASSERT_LE((found - expected).cwiseAbs().maxCoeff(), 1e-11) << rows << " " << others << " " << length;
      }
}

TEST(RowProducts, OfEqualRowsHaveEqualBitsInWhateverCompany) {
  const Matrix one = random_matrix(1, 77, 7);
  Matrix many(11, 77);
  for (Index r = 0; r < many.rows(); ++r) std::copy(one.row(0).begin(), one.row(0).end(), many.row(r).begin());
  DoubleRows found(11, 11);
  wide_products(rows_view(many), rows_view(many), Eigen::Map<DoubleRows>(found.data(), 11, 11));
  EXPECT_TRUE((found.array() == found(0, 0)).all());
}

TEST(SoftmaxRows, AgreeWithOneRowAtATime) {
  for (const Index classes : {2, 7, 8, 19}) {
    const Matrix m = random_matrix(5, classes, 8);
    DoubleRows logits = 30 * as_eigen(m).cast<double>();
    DoubleRows found(5, classes);
    Eigen::VectorXd log_sums(5);
    softmax_rows(Eigen::Map<DoubleRows>(logits.data(), 5, classes), Eigen::Map<DoubleRows>(found.data(), 5, classes),
                 Eigen::Map<Eigen::VectorXd>(log_sums.data(), 5));
    for (Index r = 0; r < 5; ++r) {
      std::vector<double> expected(static_cast<std::size_t>(classes));
      softmax(row_of(std::as_const(logits), r), std::span(expected));
      for (Index k = 0; k < classes; ++k) {
        EXPECT_NEAR(found(r, k), expected[k], 1e-14);
        EXPECT_NEAR(std::exp(logits(r, k) - log_sums[r]), expected[k], 1e-13);
      }
    }
  }
}

TEST(Softmax, SumsToOneForLogitsOfAnySize) {
  for (const double scale : {1e-3, 1.0, 1e3, 1e9, 1e300}) {
    const std::vector<double> logits{-scale, 0, scale, 0.5 * scale};
    std::vector<float> p(4);
    softmax(logits, std::span(p));
    EXPECT_NEAR(p[0] + p[1] + p[2] + p[3], 1, 1e-6);
    for (const float x : p) EXPECT_TRUE(std::isfinite(x));
  }
}

TEST(Softmax, FlushesWhatWouldBeSubnormal) {
  const std::vector<double> logits{0, -80, -95};
  std::vector<float> p(3);
  softmax(logits, std::span(p));
  EXPECT_EQ(p[1], 0);
  EXPECT_EQ(p[2], 0);
}

TEST(NearestRows, AgreeWithASortOfAllPairs) {
  for (const Index rows : {2, 7, 65, 300}) {
    const auto unit = unit_rows<double>(random_matrix(rows, 9, 6)).rows;
    const auto nearest = nearest_rows(unit, 3);
    const Index kept = std::min<Index>(3, rows - 1);
    for (Index i = 0; i < rows; ++i) {
      std::vector<std::pair<double, Index>> all;
      for (Index j = 0; j < rows; ++j)
        if (j != i) all.emplace_back(-unit.row(i).dot(unit.row(j)), j);
      std::sort(all.begin(), all.end());
      for (Index j = 0; j < kept; ++j) EXPECT_EQ(nearest[i * kept + j], all[j].second);
    }
  }
}

TEST(NearestRows, BreakTiesByIndex) {
  const DoubleRows same = DoubleRows::Constant(70, 4, 0.5);
  const auto nearest = nearest_rows(same, 2);
  EXPECT_EQ(nearest[0], 1);
  EXPECT_EQ(nearest[1], 2);
  for (Index i = 2; i < 70; ++i) {
    EXPECT_EQ(nearest[2 * i], 0);
    EXPECT_EQ(nearest[2 * i + 1], 1);
  }
}

TEST(NearestRows, OfOneRowAreNone) { EXPECT_TRUE(nearest_rows(DoubleRows::Constant(1, 4, 0.5), 5).empty()); }

TEST(Softmax, GivesARowTheSameBitsWhereverItStands) {
  for (const Index classes : {2, 3, 10, 17, 62}) {
    DoubleRows logits = DoubleRows::Random(1, classes).replicate(37, 1) * 8;
    DoubleRows probabilities(37, classes);
    Eigen::VectorXd sums(37);
    softmax_rows(Eigen::Map<DoubleRows>(logits.data(), 37, classes),
                 Eigen::Map<DoubleRows>(probabilities.data(), 37, classes),
                 Eigen::Map<Eigen::VectorXd>(sums.data(), 37));
    Matrix shifted(37, classes);
    as_eigen(shifted) = (logits.array() - logits.row(0).maxCoeff()).cast<float>();
    softmax_of_shifted(as_eigen(shifted));
    for (Index r = 1; r < 37; ++r) {
      EXPECT_EQ(probabilities.row(r), probabilities.row(0)) << classes << " " << r;
      EXPECT_TRUE(std::ranges::equal(shifted.row(r), shifted.row(0))) << classes << " " << r;
    }
  }
}

}  // namespace
}  // namespace stad::testing
