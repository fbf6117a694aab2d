#include "math/row_products.hpp"

#include <array>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "math/eigen.hpp"
#include "math/weighted_rows.hpp"
#include "support/random_rows.hpp"

namespace stad {
namespace {

using testing::random_rows;

template <typename Scalar>
std::vector<const Scalar*> addresses_of(const Rows<Scalar>& rows) {
  std::vector<const Scalar*> addresses;
  for (Index r = 0; r < rows.rows(); ++r) addresses.push_back(row_of(rows, r).data());
  return addresses;
}

template <typename Scalar>
std::vector<Scalar*> places_of(Rows<Scalar>& rows) {
  std::vector<Scalar*> places;
  for (Index r = 0; r < rows.rows(); ++r) places.push_back(row_of(rows, r).data());
  return places;
}

template <typename Scalar>
class RowProducts : public ::testing::Test {
 protected:
  // Rounding of a sum of `dimension` products of size one.
  static double tolerance(Index dimension) {
    return 4 * static_cast<double>(std::numeric_limits<Scalar>::epsilon()) * static_cast<double>(dimension + 1);
  }
};

using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(RowProducts, Scalars);

TYPED_TEST(RowProducts, AgreeWithALoopForEveryTileAndTail) {
  using Scalar = TypeParam;
  for (const Index a_rows : {1, 2, 3, 4, 5, 7, 9, 17, 33})
    for (const Index b_rows : {1, 2, 3, 4, 6, 15, 16, 21})
      for (const Index dimension : {1, 2, 7, 16, 31, 65}) {
        const auto a = random_rows<Scalar>(a_rows, dimension, 1);
        const auto b = random_rows<Scalar>(b_rows, dimension, 2);
        Rows<Scalar> found(a_rows, b_rows);
        inner_products<Scalar>(addresses_of(a), addresses_of(b), dimension, places_of(found));
        const DoubleRows expected = a.template cast<double>() * b.template cast<double>().transpose();
        ASSERT_LE((found.template cast<double>() - expected).cwiseAbs().maxCoeff(), this->tolerance(dimension))
            << a_rows << " x " << dimension << " x " << b_rows;
      }
}

TYPED_TEST(RowProducts, GiveTheSameBitsWhateverStandsBeside) {
  using Scalar = TypeParam;
  const Index dimension = 43;
  const auto a = random_rows<Scalar>(23, dimension, 3);
  const auto b = random_rows<Scalar>(19, dimension, 4);
  Rows<Scalar> together(23, 19);
  inner_products<Scalar>(addresses_of(a), addresses_of(b), dimension, places_of(together));
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < b.rows(); ++j) {
      Scalar alone = 0;
      const std::array<const Scalar*, 1> left{row_of(a, i).data()};
      const std::array<const Scalar*, 1> right{row_of(b, j).data()};
      const std::array<Scalar*, 1> out{&alone};
      inner_products<Scalar>(left, right, dimension, out);
      ASSERT_EQ(alone, together(i, j)) << i << " " << j;
    }
}

TYPED_TEST(RowProducts, WeightedSumsAgreeWithALoopDenseAndSparse) {
  using Scalar = TypeParam;
  for (const Index sums : {1, 2, 3, 4, 5, 6, 9})
    for (const Index count : {1, 2, 5, 8, 30})
      for (const Index dimension : {1, 3, 16, 33, 130, 300})
        for (const int keep_every : {1, 3, 100}) {
          const auto rows = random_rows<Scalar>(count, dimension, 5);
          auto weights = random_rows<Scalar>(sums, count, 6);
          for (Index i = 0; i < weights.size(); ++i)
            if (i % keep_every != 0) weights.data()[i] = 0;
          Rows<Scalar> found(sums, dimension);
          weighted_sums<Scalar>(addresses_of(weights), addresses_of(rows), dimension, places_of(found));
          const DoubleRows expected = weights.template cast<double>() * rows.template cast<double>();
          ASSERT_LE((found.template cast<double>() - expected).cwiseAbs().maxCoeff(), this->tolerance(count))
              << sums << " sums of " << count << " rows of " << dimension << ", every " << keep_every;
        }
}

TYPED_TEST(RowProducts, WeightedRowsAreMeasuredAndWrittenAsTheirSum) {
  using Scalar = TypeParam;
  for (const Index dimension : {1, 2, 15, 16, 17, 64, 65, 200}) {
    const auto rows = random_rows<Scalar>(3, dimension, 7);
    const WeightedRows<Scalar, 3> weighted{{row_of(rows, 0).data(), row_of(rows, 1).data(), row_of(rows, 2).data()},
                                           {Scalar{2}, Scalar{-1}, Scalar{0.5}}};
    const Eigen::RowVectorXd expected =
        (2 * rows.row(0) - rows.row(1) + Scalar{0.5} * rows.row(2)).template cast<double>();
    EXPECT_NEAR(weighted.norm(dimension), expected.norm(), this->tolerance(dimension));
    Rows<Scalar> found(1, dimension);
    weighted.write(Scalar{3}, dimension, found.data());
    EXPECT_LE((found.template cast<double>() - 3 * expected).cwiseAbs().maxCoeff(), this->tolerance(8));
  }
}

}  // namespace
}  // namespace stad
