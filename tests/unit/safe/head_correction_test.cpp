// tests/oracle/head_correction_test.cpp compares the correction with a reference.

#include "safe/head_correction.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/random_rows.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

constexpr Index kClasses = 4, kDimension = 6;

const RandomStream kStream =
    random_stream(2, {.classes = kClasses, .dimension = kDimension, .batch_sizes = {600, 30}, .drift = 0.5});

void add_rows(safe::HeadCorrection& correction, const Matrix& rows, const std::vector<Index>& labels, Index first,
              Index end) {
  for (Index n = first; n < end; ++n) correction.add(rows.row(n), labels[static_cast<std::size_t>(n)]);
}

/// Added to the logits of rows.
DoubleRows correction_of(const safe::HeadCorrection& correction, const Matrix& rows) {
  DoubleRows logits = DoubleRows::Zero(rows.rows(), kClasses);
  correction.apply(rows, DoubleRowsMap(logits.data(), logits.rows(), logits.cols()));
  return logits;
}

Matrix constant_rows(Index rows, float value) {
  Matrix matrix(rows, kDimension);
  std::fill_n(matrix.data(), matrix.size(), value);
  return matrix;
}

Index first_largest(const DoubleRows& rows, Index row) {
  Index label = 0;
  rows.row(row).maxCoeff(&label);
  return label;
}

TEST(HeadCorrection, ChangesNothingWithoutLabelledRows) {
  safe::HeadCorrection correction(kStream.source());
  correction.fit();
  const DoubleRows logits = random_rows<double>(30, kClasses, 1);
  DoubleRows corrected = logits;
  correction.apply(kStream.batches[1], DoubleRowsMap(corrected.data(), 30, kClasses));
  EXPECT_EQ(corrected, logits);
}

TEST(HeadCorrection, ChangesNothingBeforeTheFirstFit) {
  safe::HeadCorrection correction(kStream.source());
  add_rows(correction, kStream.batches[0], kStream.labels[0], 0, 10);
  EXPECT_EQ(correction_of(correction, kStream.batches[1]), DoubleRows::Zero(30, kClasses));
}

TEST(HeadCorrection, AddsToTheLogitsThatAreGiven) {
  safe::HeadCorrection correction(kStream.source());
  add_rows(correction, kStream.batches[0], kStream.labels[0], 0, 10);
  correction.fit();
  const DoubleRows logits = random_rows<double>(30, kClasses, 1);
  DoubleRows corrected = logits;
  correction.apply(kStream.batches[1], DoubleRowsMap(corrected.data(), 30, kClasses));
  EXPECT_LT((corrected - logits - correction_of(correction, kStream.batches[1])).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(HeadCorrection, MovesLabelledRowsTowardsTheirLabels) {
  safe::HeadCorrection correction(kStream.source());
  add_rows(correction, kStream.batches[0], kStream.labels[0], 0, 1);
  correction.fit();
  Matrix row(1, kDimension);
  std::ranges::copy(kStream.batches[0].row(0), row.data());
  EXPECT_EQ(first_largest(correction_of(correction, row), 0), kStream.labels[0][0]);
}

TEST(HeadCorrection, SumsToZeroOverTheClasses) {
  // Gradients of the log-loss do; ten steps from zero keep it, up to the rounding of float weights.
  safe::HeadCorrection correction(kStream.source());
  add_rows(correction, kStream.batches[0], kStream.labels[0], 0, 50);
  correction.fit();
  EXPECT_LT(correction_of(correction, kStream.batches[1]).rowwise().sum().cwiseAbs().maxCoeff(), 1e-6);
}

TEST(HeadCorrection, KeepsTheNewest200Rows) {
  // Steps enough that the start of the fit does not matter.
  const safe::CorrectionParams params{.steps = 600};
  safe::HeadCorrection wrapped(kStream.source(), params), fresh(kStream.source(), params);
  add_rows(wrapped, kStream.batches[0], kStream.labels[0], 0, 317);
  wrapped.fit();
  add_rows(wrapped, kStream.batches[0], kStream.labels[0], 317, 530);
  wrapped.fit();
  add_rows(fresh, kStream.batches[0], kStream.labels[0], 330, 530);
  fresh.fit();
  EXPECT_EQ(wrapped.state().rows.count(), 200);
  EXPECT_EQ(wrapped.state().rows.next(), 130);
  const DoubleRows difference = correction_of(wrapped, kStream.batches[1]) - correction_of(fresh, kStream.batches[1]);
  EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-8);
}

TEST(HeadCorrection, FitsFromTheCorrectionBefore) {
  const safe::CorrectionParams params{.steps = 600};
  safe::HeadCorrection often(kStream.source()), once(kStream.source(), params);
  add_rows(often, kStream.batches[0], kStream.labels[0], 0, 100);
  add_rows(once, kStream.batches[0], kStream.labels[0], 0, 100);
  for (int i = 0; i < 60; ++i) often.fit();
  once.fit();
  const DoubleRows difference = correction_of(often, kStream.batches[1]) - correction_of(once, kStream.batches[1]);
  EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-5) << "sixty times ten steps are as near";
}

TEST(HeadCorrection, TenStepsComeNearTheOptimum) {
  safe::HeadCorrection few(kStream.source()), many(kStream.source(), {.steps = 600});
  for (Index n = 0; n < 100; ++n) {
    add_rows(few, kStream.batches[0], kStream.labels[0], n, n + 1);
    add_rows(many, kStream.batches[0], kStream.labels[0], n, n + 1);
    few.fit();
  }
  many.fit();
  const DoubleRows near = correction_of(few, kStream.batches[1]), best = correction_of(many, kStream.batches[1]);
  EXPECT_LT((near - best).norm(), 0.1 * best.norm());
}

TEST(HeadCorrection, ZeroRowsAreFinite) {
  for (const bool has_mean : {false, true}) {
    const auto source =
        *SourceModel::create(kStream.weight, kStream.bias, has_mean ? kStream.mean : std::vector<float>{});
    safe::HeadCorrection correction(source);
    add_rows(correction, constant_rows(20, 0), std::vector<Index>(20, 1), 0, 20);
    correction.fit();
    EXPECT_TRUE(correction_of(correction, kStream.batches[1]).allFinite());
    EXPECT_EQ(first_largest(correction_of(correction, constant_rows(1, 0)), 0), 1);
  }
}

TEST(HeadCorrection, RowsThatEqualTheMeanCorrectTheBiasAlone) {
  safe::HeadCorrection correction(kStream.source());
  Matrix rows(5, kDimension);
  for (Index n = 0; n < 5; ++n) std::ranges::copy(kStream.mean, rows.row(n).begin());
  add_rows(correction, rows, std::vector<Index>(5, 2), 0, 5);
  correction.fit();
  const DoubleRows found = correction_of(correction, kStream.batches[1]);
  for (Index n = 1; n < found.rows(); ++n) EXPECT_LT((found.row(n) - found.row(0)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(HeadCorrection, HugeAndTinyFeaturesStayFinite) {
  for (const float size : {1e15F, 1e-20F, 1e-38F})
    for (const float asked : {1e15F, 1.0F, 1e-38F}) {
      safe::HeadCorrection correction(kStream.source());
      Matrix rows = random_matrix(50, kDimension, 3);
      for (Index i = 0; i < rows.size(); ++i) rows.data()[i] = std::clamp(rows.data()[i] / 4, -1.0F, 1.0F) * size;
      add_rows(correction, rows, kStream.labels[0], 0, 50);
      correction.fit();
      correction.fit();
      EXPECT_TRUE(correction_of(correction, constant_rows(3, asked)).allFinite()) << size << " " << asked;
      EXPECT_TRUE(correction.state().dual.allFinite());
    }
}

TEST(HeadCorrection, IdenticalRowsWithDifferentLabelsAgreeWithTheirFrequencies) {
  // Far from any ridge: 200 rows of one point, whose corrected probabilities approach the frequencies 1/2, 1/4, 1/4, 0.
  safe::HeadCorrection correction(kStream.source(), {.ridge = 0.01, .steps = 600});
  Matrix row(1, kDimension);
  std::ranges::copy(kStream.batches[0].row(7), row.data());
  for (Index n = 0; n < 200; ++n) correction.add(row.row(0), n % 4 == 3 ? 0 : n % 4);
  correction.fit();
  DoubleRows logits = DoubleRows::Zero(1, kClasses);
  for (Index k = 0; k < kClasses; ++k)
    logits(0, k) = as_eigen(kStream.weight).row(k).cast<double>().dot(as_eigen(row).row(0).cast<double>()) +
                   static_cast<double>(kStream.bias[static_cast<std::size_t>(k)]);
  correction.apply(row, DoubleRowsMap(logits.data(), 1, kClasses));
  const Eigen::ArrayXd powers = (logits.row(0).array() - logits.maxCoeff()).exp();
  const Eigen::ArrayXd probabilities = powers / powers.sum();
  EXPECT_NEAR(probabilities[0], 0.5, 0.01);
  EXPECT_NEAR(probabilities[1], 0.25, 0.01);
  EXPECT_NEAR(probabilities[2], 0.25, 0.01);
  EXPECT_LT(probabilities[3], 0.01);
}

TEST(HeadCorrection, EqualInputGivesEqualBits) {
  safe::HeadCorrection one(kStream.source()), other(kStream.source());
  for (safe::HeadCorrection* correction : {&one, &other})
    for (Index n = 0; n < 250; n += 10) {
      add_rows(*correction, kStream.batches[0], kStream.labels[0], n, n + 10);
      correction->fit();
    }
  EXPECT_EQ(correction_of(one, kStream.batches[1]), correction_of(other, kStream.batches[1]));
}

}  // namespace
}  // namespace stad::testing
