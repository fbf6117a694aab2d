#include <stad/eval/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stad::testing {
namespace {

using Values = std::vector<double>;

std::vector<double> normal_values(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  Values values(count);
  for (double& x : values) x = random.normal();
  return values;
}

TEST(Summarise, GivesZerosForNoValues) {
  const auto summary = summarise({});
  EXPECT_EQ(summary.count, 0);
  EXPECT_EQ(summary.mean, 0);
  EXPECT_EQ(summary.deviation, 0);
  EXPECT_EQ(summary.worst_tenth, 0);
}

TEST(Summarise, OfOneValueHasNoDeviation) {
  const auto summary = summarise(Values{0.7});
  EXPECT_EQ(summary.count, 1);
  EXPECT_EQ(summary.mean, 0.7);
  EXPECT_EQ(summary.deviation, 0);
  EXPECT_EQ(summary.worst_tenth, 0.7);
}

TEST(Summarise, DividesByOneLessThanTheCount) {
  const auto summary = summarise(Values{2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_DOUBLE_EQ(summary.mean, 5);
  EXPECT_DOUBLE_EQ(summary.deviation, std::sqrt(32.0 / 7));
}

TEST(Summarise, OfEqualValuesHasExactlyNoDeviation) {
  EXPECT_EQ(summarise(Values(7, 0.1)).deviation, 0);
  EXPECT_EQ(summarise(Values(7, 0.1)).mean, 0.1);
}

TEST(Summarise, TakesTheLowestTenthRoundedUp) {
  Values values(21);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>((i * 8) % 21);  // 0 .. 20, mixed
  EXPECT_DOUBLE_EQ(summarise(values).worst_tenth, 1);                                             // 0, 1, 2
  values.resize(10);
  EXPECT_DOUBLE_EQ(summarise(values).worst_tenth, *std::min_element(values.begin(), values.end()));
}

TEST(Summarise, ChecksThatValuesAreFinite) {
  EXPECT_THROW(summarise(Values{1, std::numeric_limits<double>::quiet_NaN()}), std::logic_error);
}

TEST(Correlation, AgreesWithAHandWorkedCase) {
  // Deviations (-2, -1, 0, 1, 2) and (-1, -2, 1, 0, 2): 8 / sqrt(10 * 10).
  EXPECT_NEAR(*correlation(Values{1, 2, 3, 4, 5}, Values{2, 1, 4, 3, 5}), 0.8, 1e-15);
}

TEST(Correlation, IsOneOnALineAtAnyScale) {
  for (const double scale : {1e-300, 1e-10, 1.0, 1e10, 1e300}) {
    const Values x{-scale, 0, 0.5 * scale, 1.5 * scale};
    EXPECT_NEAR(*correlation(x, Values{-1, 0, 0.5, 1.5}), 1, 1e-15) << scale;
    EXPECT_NEAR(*correlation(x, Values{1, 0, -0.5, -1.5}), -1, 1e-15) << scale;
  }
}

TEST(Correlation, HasNoAnswerForFewPairsOrNoVariance) {
  EXPECT_FALSE(correlation(Values{1, 2}, Values{1, 2}));
  EXPECT_FALSE(correlation(Values{0.1, 0.1, 0.1}, Values{1, 2, 3}));
  EXPECT_FALSE(correlation(Values{1, 2, 3}, Values{0, 0, 0}));
  EXPECT_FALSE(rank_correlation(Values{1, 2, 3}, Values{0.3, 0.3, 0.3}));
  EXPECT_FALSE(rank_correlation({}, {}));
}

TEST(RankCorrelation, IsOneForEveryRisingCurve) {
  const Values x = normal_values(1, 30);
  Values y = x;
  for (double& value : y) value = std::exp(3 * value);
  EXPECT_NEAR(*rank_correlation(x, y), 1, 1e-15);
  EXPECT_LT(*correlation(x, y), 0.9);
}

TEST(RankCorrelation, GivesTiesTheMeanOfTheirRanks) {
  // Ranks (1, 2.5, 2.5, 4) and (1, 2, 3, 4): deviations give 4.5 / sqrt(4.5 * 5).
  EXPECT_NEAR(*rank_correlation(Values{10, 20, 20, 30}, Values{1, 2, 3, 4}), 4.5 / std::sqrt(22.5), 1e-15);
}

std::vector<PairedStep> steps_with_gain(double gain, std::uint64_t seed, std::size_t count = 40) {
  Random random(seed);
  std::vector<PairedStep> steps(count);
  for (auto& step : steps) {
    step.samples = 50 + static_cast<Index>(random.below(100));
    const auto size = static_cast<double>(step.samples);
    step.correct_a = size * (0.5 + 0.05 * random.normal());
    step.correct_b = step.correct_a + size * (gain + 0.05 * random.normal());
  }
  return steps;
}

TEST(PairedBootstrap, PoolsOverSamples) {
  const std::vector<PairedStep> steps{{.samples = 10, .correct_a = 5, .correct_b = 7},
                                      {.samples = 90, .correct_a = 45, .correct_b = 44}};
  const auto difference = *paired_bootstrap(steps, 0);
  EXPECT_DOUBLE_EQ(difference.mean, 0.01);
  EXPECT_DOUBLE_EQ(difference.low, -1.0 / 90);  // a quarter of the resamples holds the second step twice
  EXPECT_DOUBLE_EQ(difference.high, 0.2);
}

TEST(PairedBootstrap, FindsADifferenceThatIsThere) {
  const auto steps = steps_with_gain(0.05, 1);
  const auto difference = *paired_bootstrap(steps, 2);
  EXPECT_LT(difference.p_value, 1e-3);
  EXPECT_GE(difference.p_value, 2.0 / 10'001);  // no finite number of resamples claims zero
  EXPECT_GT(difference.low, 0);
  EXPECT_LT(difference.low, difference.mean);
  EXPECT_GT(difference.high, difference.mean);
}

TEST(PairedBootstrap, IsAsWideAsTheNormalApproximation) {
  const auto steps = steps_with_gain(0.05, 3, 400);
  const auto difference = *paired_bootstrap(steps, 4);
  double samples = 0, squares = 0;
  for (const auto& step : steps) samples += static_cast<double>(step.samples);
  for (const auto& step : steps)
    squares += std::pow(step.correct_b - step.correct_a - difference.mean * static_cast<double>(step.samples), 2);
  const double error = std::sqrt(squares) / samples;  // of a ratio, linearised
  EXPECT_NEAR((difference.high - difference.low) / (2 * 1.96 * error), 1, 0.05);
}

TEST(PairedBootstrap, MirrorsWhenTheMethodsAreExchanged) {
  auto steps = steps_with_gain(0.01, 5);
  const auto forth = *paired_bootstrap(steps, 6);
  for (auto& step : steps) std::swap(step.correct_a, step.correct_b);
  const auto back = *paired_bootstrap(steps, 6);
  EXPECT_DOUBLE_EQ(forth.mean, -back.mean);
  EXPECT_NEAR(forth.low, -back.high, 1e-15);
  EXPECT_EQ(forth.p_value, back.p_value);
}

TEST(PairedBootstrap, RejectsAsOftenAsItSaysWhereThereIsNoDifference) {
  int rejected = 0;
  constexpr int kTrials = 400;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial)
    rejected += paired_bootstrap(steps_with_gain(0, 100 + trial), trial, 500)->p_value < 0.05;
  // 5 % are 20 of 400, with a deviation of 4.4; the percentile method is a little too eager at 40 steps.
  EXPECT_GE(rejected, 8);
  EXPECT_LE(rejected, 40);
}

TEST(PairedBootstrap, GivesIdenticalAnswersAPValueOfOne) {
  auto steps = steps_with_gain(0, 7);
  for (auto& step : steps) step.correct_b = step.correct_a;
  const auto difference = *paired_bootstrap(steps, 8);
  EXPECT_EQ(difference.mean, 0);
  EXPECT_EQ(difference.low, 0);
  EXPECT_EQ(difference.high, 0);
  EXPECT_EQ(difference.p_value, 1);
}

TEST(PairedBootstrap, IsNotDecidedByRounding) {
  const std::vector<PairedStep> steps(5, {.samples = 1, .correct_a = 0.3, .correct_b = 0.1 + 0.2});
  EXPECT_EQ(paired_bootstrap(steps, 9)->p_value, 1);
}

TEST(PairedBootstrap, GivesTheSameBitsForTheSameSeed) {
  const auto steps = steps_with_gain(0.01, 10);
  const auto one = *paired_bootstrap(steps, 11), other = *paired_bootstrap(steps, 11);
  EXPECT_EQ(one.low, other.low);
  EXPECT_EQ(one.high, other.high);
  EXPECT_EQ(one.p_value, other.p_value);
}

TEST(PairedBootstrap, NeedsTwoStepsWithSamples) {
  const PairedStep full{.samples = 5, .correct_a = 1, .correct_b = 2};
  EXPECT_FALSE(paired_bootstrap(std::vector{full}, 0));
  EXPECT_FALSE(paired_bootstrap(std::vector{full, PairedStep{}}, 0));
  EXPECT_TRUE(paired_bootstrap(std::vector{full, PairedStep{}, full}, 0));
}

TEST(PairedBootstrap, IsNotSureOfAFewStepsThatAgree) {
  for (const int count : {2, 3, 5, 6}) {
    const std::vector<PairedStep> steps(static_cast<std::size_t>(count), {100, 50, 60});
    EXPECT_DOUBLE_EQ(paired_bootstrap(steps, 1)->p_value, std::ldexp(2.0, -count)) << count;
  }
}

TEST(PairedBootstrap, SeldomTakesNoiseForADifference) {
  // A nominal 5 %; the percentile bootstrap is a little eager with few steps, and the bound holds it there.
  for (const std::size_t count : {3U, 5U, 44U}) {
    int found = 0;
    for (std::uint64_t trial = 0; trial < 300; ++trial) {
      std::vector<PairedStep> steps;
      for (const double noise : normal_values(1000 * count + trial, count)) steps.push_back({100, 50, 50 + noise});
      found += paired_bootstrap(steps, trial, 500)->p_value < 0.05;
    }
    EXPECT_LE(found, 300 * 0.09) << count;
  }
}

TEST(Holm, AgreesWithAHandWorkedCase) {
  const auto adjusted = holm(Values{0.01, 0.04, 0.03, 0.005});
  const Values expected{0.03, 0.06, 0.06, 0.02};  // the last but one pulls the last up to itself
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_DOUBLE_EQ(adjusted[i], expected[i]);
}

TEST(Holm, IsAtMostOneAndNeverBelowWhatItWasGiven) {
  Random random(12);
  Values p(50);
  for (double& x : p) x = random.uniform();
  const auto adjusted = holm(p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    EXPECT_GE(adjusted[i], p[i]);
    EXPECT_LE(adjusted[i], 1);
    for (std::size_t j = 0; j < p.size(); ++j) EXPECT_TRUE(p[i] >= p[j] || adjusted[i] <= adjusted[j]);
  }
}

TEST(Holm, OfNoneIsNone) { EXPECT_TRUE(holm({}).empty()); }

}  // namespace
}  // namespace stad::testing
