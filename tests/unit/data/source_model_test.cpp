#include <stad/source_model.hpp>

#include <limits>

#include <gtest/gtest.h>

namespace stad::testing {
namespace {

Matrix ones(Index rows, Index cols) {
  Matrix m(rows, cols);
  std::fill(m.data(), m.data() + m.size(), 1.0F);
  return m;
}

std::string source_model_error(Matrix weight, std::vector<float> bias = {}, std::vector<float> mean = {},
                               std::vector<std::string> classes = {}) {
  const auto made = SourceModel::create(std::move(weight), std::move(bias), std::move(mean), std::move(classes));
  return made ? "" : made.error().message;
}

TEST(SourceModel, NeedsTwoClassesAndTwoDimensions) {
  EXPECT_EQ(source_model_error(ones(1, 4)), "source: weight has 1 rows (classes), must have at least 2");
  EXPECT_EQ(source_model_error(ones(4, 1)), "source: weight has 1 columns (dimensions), must have at least 2");
  EXPECT_EQ(source_model_error(ones(2, 2)), "");
}

TEST(SourceModel, NamesTheValueThatIsNotFinite) {
  Matrix weight = ones(3, 4);
  weight(2, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(source_model_error(weight),
            "source: weight row 2 column 1 is nan, must be finite and at most 1e15 in magnitude");
  EXPECT_NE(source_model_error(ones(2, 2), {0, 2e15F}), "");
}

TEST(SourceModel, ChecksLengths) {
  EXPECT_EQ(source_model_error(ones(3, 4), {1, 2}), "source: bias has 2 values, must have 3 (one per class)");
  EXPECT_EQ(source_model_error(ones(3, 4), {}, {1, 2}), "source: mean has 2 values, must have 4 (one per dimension)");
  EXPECT_EQ(source_model_error(ones(3, 4), {}, {}, {"a"}), "source: classes has 1 values, must have 3 (one per class)");
}

TEST(SourceModel, HasAFingerprintOfItsValues) {
  const auto a = *SourceModel::create(ones(2, 3));
  Matrix other = ones(2, 3);
  other(1, 2) = 1.0000001F;
  EXPECT_EQ(a.fingerprint(), SourceModel::create(ones(2, 3))->fingerprint());
  EXPECT_NE(a.fingerprint(), SourceModel::create(other)->fingerprint());
  EXPECT_NE(a.fingerprint(), SourceModel::create(ones(2, 3), {0, 0})->fingerprint());
}

TEST(SourceModel, NumbersClassesWithoutNames) {
  EXPECT_EQ(SourceModel::create(ones(3, 2))->class_names(), (std::vector<std::string>{"0", "1", "2"}));
}

}  // namespace
}  // namespace stad::testing
