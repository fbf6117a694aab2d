#include <stad/files.hpp>

#include <gtest/gtest.h>

#include "io/file_access.hpp"
#include "io/npz.hpp"
#include "support/temporary_directory.hpp"

namespace stad {
namespace {

TEST(PredictionsFile, HoldsLabelsAndProbabilities) {
  const testing::TemporaryDirectory scratch;
  Predictions predictions;
  predictions.labels = {1, 0};
  predictions.probabilities = Matrix(2, 2);
  predictions.probabilities(0, 1) = predictions.probabilities(1, 0) = 1;
  ASSERT_TRUE(write_predictions(scratch.file("p.npz"), predictions));
  const auto file = *read_file(scratch.file("p.npz"));
  const auto npz = Npz::open(file.bytes);
  ASSERT_TRUE(npz) << npz.error().message;
  EXPECT_EQ(*to_integers(**npz->read("labels")), predictions.labels);
  EXPECT_EQ(*to_matrix(**npz->read("probabilities")), predictions.probabilities);
  EXPECT_EQ(inspect_file(scratch.file("p.npz"))->arrays.size(), 2U);
}

TEST(PredictionsFile, IsNotWrittenWhereLabelsAreMissing) {
  const testing::TemporaryDirectory scratch;
  Predictions predictions;
  predictions.probabilities = Matrix(2, 2);
  EXPECT_FALSE(write_predictions(scratch.file("p.npz"), predictions));
  EXPECT_EQ(scratch.files(), 0);
}

TEST(TextFile, HoldsTheText) {
  const testing::TemporaryDirectory scratch;
  ASSERT_TRUE(write_text(scratch.file("t"), "a\nb"));
  EXPECT_EQ(scratch.read("t"), "a\nb");
}

}  // namespace
}  // namespace stad
