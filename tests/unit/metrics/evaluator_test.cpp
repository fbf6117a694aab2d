#include <stad/eval/metrics.hpp>

#include <gtest/gtest.h>

#include <stad/streams.hpp>

namespace stad {
namespace {

/// Rows of two probabilities whose larger one is `confidence`, at the place `answer`.
Matrix sure_of(const std::vector<std::int64_t>& answers, const std::vector<float>& confidence) {
  Matrix probabilities(static_cast<Index>(answers.size()), 2);
  for (std::size_t n = 0; n < answers.size(); ++n) {
    probabilities(static_cast<Index>(n), answers[n]) = confidence[n];
    probabilities(static_cast<Index>(n), 1 - answers[n]) = 1 - confidence[n];
  }
  return probabilities;
}

void add(Evaluator& evaluator, const std::vector<std::int64_t>& truth, const std::vector<std::int64_t>& answers,
         double time, float confidence = 1) {
  evaluator.add(truth, answers, sure_of(answers, std::vector<float>(answers.size(), confidence)), time);
}

TEST(Evaluator, GivesZerosBeforeAnythingWasAdded) {
  const auto result = Evaluator(3).evaluation();
  EXPECT_EQ(result.samples, 0);
  EXPECT_EQ(result.pooled, 0);
  EXPECT_EQ(result.calibration_error, 0);
  EXPECT_EQ(result.per_class.size(), 3U);
}

TEST(Evaluator, PoolsOverSamplesAndAveragesOverSteps) {
  Evaluator evaluator(2);
  add(evaluator, {0, 0, 1, 1}, {0, 0, 1, 0}, 1970);
  add(evaluator, {1}, {0}, 1971);
  const auto result = evaluator.evaluation();
  EXPECT_EQ(result.samples, 5);
  EXPECT_DOUBLE_EQ(result.pooled, 3.0 / 5);
  EXPECT_DOUBLE_EQ(result.step_mean, (3.0 / 4 + 0) / 2);
}

TEST(Evaluator, JoinsBatchesOfOneStepAndOrdersSteps) {
  Evaluator evaluator(2);
  add(evaluator, {0, 1}, {0, 0}, 7);
  add(evaluator, {1}, {1}, 3);
  add(evaluator, {1, 1}, {1, 1}, 7);
  const auto steps = evaluator.evaluation().per_step;
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].time, 3);
  EXPECT_EQ(steps[1].time, 7);
  EXPECT_EQ(steps[1].samples, 4);
  EXPECT_DOUBLE_EQ(steps[1].accuracy, 0.75);
}

TEST(Evaluator, CountsEveryClass) {
  Evaluator evaluator(2);
  add(evaluator, {0, 0, 0, 1}, {0, 0, 1, 1}, 0);
  const auto classes = evaluator.evaluation().per_class;
  EXPECT_DOUBLE_EQ(classes[0].recall(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(classes[0].precision(), 1);
  EXPECT_DOUBLE_EQ(classes[1].recall(), 1);
  EXPECT_DOUBLE_EQ(classes[1].precision(), 0.5);
}

TEST(Evaluator, PassesOverRowsOfNoClass) {
  Evaluator evaluator(2), without(2);
  add(evaluator, {0, kNoClass, 1, kNoClass}, {0, 0, 0, 1}, 3, 0.9F);
  add(evaluator, {kNoClass}, {1}, 4, 0.6F);
  add(without, {0, 1}, {0, 0}, 3, 0.9F);
  const auto result = evaluator.evaluation(), expected = without.evaluation();
  EXPECT_EQ(result.samples, 2);
  EXPECT_EQ(result.pooled, 0.5);
  EXPECT_EQ(result.step_mean, 0.5);
  ASSERT_EQ(result.per_step.size(), 1U) << "a step without a scored row is none";
  EXPECT_EQ(result.per_class[0].predicted, 2);
  EXPECT_EQ(result.per_class[1].predicted, 0);
  EXPECT_EQ(result.calibration_error, expected.calibration_error);
}

TEST(Evaluator, MeasuresCalibrationInFifteenEqualBins) {
  Evaluator evaluator(2);
  // Two bins: at 0.9 half is right (gap 0.4), at 0.6 all are right (gap 0.4), so every sample is 0.4 off.
  add(evaluator, {0, 1}, {0, 0}, 0, 0.9F);
  add(evaluator, {0, 0}, {0, 0}, 0, 0.6F);
  EXPECT_NEAR(evaluator.evaluation().calibration_error, 0.4, 1e-7);  // float32 probabilities
}

TEST(Evaluator, LetsErrorsOfOneBinCancelButNotThoseOfTwo) {
  Evaluator together(2), apart(2);
  add(together, {0, 1}, {0, 0}, 0, 0.52F);
  add(apart, {0}, {0}, 0, 0.52F);
  add(apart, {1}, {0}, 0, 0.95F);
  EXPECT_NEAR(together.evaluation().calibration_error, 0.02, 1e-7);
  EXPECT_NEAR(apart.evaluation().calibration_error, (0.48 + 0.95) / 2, 1e-7);
}

TEST(Evaluator, ChecksThatLabelsAreInRange) {
  Evaluator evaluator(2);
  EXPECT_THROW(add(evaluator, {2}, {0}, 0), std::logic_error);
}

}  // namespace
}  // namespace stad
