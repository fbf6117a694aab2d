#include <stad/eval/simulate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "simulate/drift_model.hpp"
#include "unit/simulate/simulated.hpp"

namespace stad {
namespace {

using testing::feature_values;
using testing::simulate_error;
using testing::simulated;

/// Accuracy of the head inside one step.
double source_accuracy(const Simulation& simulation, double time) {
  Index rows = 0, correct = 0;
  for (Index n = 0; n < simulation.stream.features.rows; ++n) {
    if (simulation.stream.time[static_cast<std::size_t>(n)] != time) continue;
    Index best = 0;
    double best_score = -std::numeric_limits<double>::infinity();
    for (Index k = 0; k < simulation.source.classes(); ++k) {
      double score = simulation.source.bias()[static_cast<std::size_t>(k)];
      for (Index d = 0; d < simulation.source.dimension(); ++d)
        score += simulation.source.weight()(k, d) * simulation.stream.features.row(n)[static_cast<std::size_t>(d)];
      if (score > best_score) best = k, best_score = score;
    }
    ++rows;
    correct += best == simulation.stream.labels[static_cast<std::size_t>(n)];
  }
  return static_cast<double>(correct) / static_cast<double>(rows);
}

TEST(Simulate, GivesTheSameBitsForTheSameSettings) {
  const auto a = simulated({.seed = 5}), b = simulated({.seed = 5}), other = simulated({.seed = 6});
  EXPECT_EQ(feature_values(a.stream), feature_values(b.stream));
  EXPECT_EQ(a.stream.labels, b.stream.labels);
  EXPECT_EQ(a.source.fingerprint(), b.source.fingerprint());
  EXPECT_NE(feature_values(a.stream), feature_values(other.stream));
}

TEST(Simulate, DrawsTheNumbersItHasAlwaysDrawn) {
  const auto simulation =
      simulated({.drift = Drift::kRapid, .classes = 11, .dimension = 17, .strength = 0.7, .noise = 1.3, .seed = 3});
  // Recorded before regimes were added; compared to the precision that logarithms and cosines have on all platforms.
  EXPECT_NEAR(simulation.source.weight()(0, 0), 1.409232, 1e-5);
  EXPECT_NEAR(simulation.source.weight()(10, 16), 1.526938, 1e-5);
  EXPECT_NEAR(simulation.stream.features.row(0)[0], 1.603258, 1e-5);
  EXPECT_NEAR(simulation.stream.features.row(5119)[16], -0.243939, 1e-5);
  EXPECT_EQ(simulation.stream.labels.back(), 6);
}

TEST(Simulate, HasTheShapeThatWasAskedFor) {
  const auto simulation = simulated({.steps = 3, .samples_per_step = 7, .classes = 4, .dimension = 5});
  EXPECT_EQ(simulation.stream.features.rows, 21);
  EXPECT_EQ(simulation.stream.features.cols, 5);
  EXPECT_EQ(simulation.source.classes(), 4);
  EXPECT_TRUE(simulation.source.has_mean());
  EXPECT_EQ(simulation.stream.time.front(), 0);
  EXPECT_EQ(simulation.stream.time.back(), 2);
  EXPECT_TRUE(std::is_sorted(simulation.stream.time.begin(), simulation.stream.time.end()));
}

TEST(Simulate, LabelShiftKeepsTheRowsOfAStepAndSortsThemByClass) {
  const auto mixed = simulated({.steps = 2}), sorted = simulated({.steps = 2, .label_shift = true});
  auto a = feature_values(mixed.stream), b = feature_values(sorted.stream);
  EXPECT_NE(a, b);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  EXPECT_EQ(a, b);
  const auto& labels = sorted.stream.labels;
  Index changes = 0;
  for (std::size_t n = 1; n < 256; ++n) changes += labels[n] != labels[n - 1];
  EXPECT_EQ(changes, 5);  // six classes, each one run
}

TEST(Simulate, TakesTheClassesInAnotherOrderInEveryStep) {
  const auto& labels = simulated({.steps = 8, .label_shift = true}).stream.labels;
  bool differs = false;
  for (std::size_t step = 1; step < 8; ++step) differs |= labels[step * 256] != labels[0];
  EXPECT_TRUE(differs);
}

TEST(DriftModel, StaysWhereItIsWithoutDrift) {
  const DriftModel still({.drift = Drift::kNone}), weak({.drift = Drift::kRapid, .strength = 0});
  EXPECT_EQ(still.at_step(13), still.before_drift());
  EXPECT_TRUE(weak.at_step(13).isApprox(weak.before_drift(), 1e-12));
}

TEST(DriftModel, GoesSteadilyAwayWhenDriftIsProgressive) {
  const DriftModel model({.drift = Drift::kProgressive});
  double before = -1;
  for (Index step = 0; step < 20; ++step) {
    const double gone = (model.at_step(step) - model.before_drift()).norm();
    EXPECT_GT(gone, before);
    before = gone;
  }
}

TEST(DriftModel, ComesBackWhenDriftIsRecurring) {
  const DriftModel model({.drift = Drift::kRecurring, .steps = 21});
  EXPECT_GT((model.at_step(5) - model.before_drift()).norm(), 1);
  EXPECT_TRUE(model.at_step(10).isApprox(model.before_drift(), 1e-9));
  EXPECT_TRUE(model.at_step(20).isApprox(model.before_drift(), 1e-9));
}

TEST(DriftModel, JumpsOnceInTheMiddleAndStaysWhenDriftIsAbrupt) {
  for (const Index steps : {20, 21}) {
    const DriftModel model({.drift = Drift::kAbrupt, .steps = steps, .strength = 0.7});
    const DriftModel progressive({.drift = Drift::kProgressive, .steps = steps, .strength = 0.7});
    const Index half = (steps + 1) / 2;
    for (Index step = 0; step < half; ++step) EXPECT_EQ(model.at_step(step), model.before_drift()) << step;
    for (Index step = half; step < steps; ++step)
      EXPECT_EQ(model.at_step(step), progressive.at_step(steps - 1)) << step;
  }
}

TEST(DriftModel, JumpsAnewInEveryStepWhenDriftIsRapid) {
  const DriftModel model({.drift = Drift::kRapid});
  EXPECT_GT((model.at_step(0) - model.at_step(1)).norm(), 1);
  EXPECT_EQ(model.at_step(4), model.at_step(4));
}

TEST(Simulate, LetsTheSourceStartWellAndLoseVisibly) {
  const auto simulation = simulated({.samples_per_step = 2000});
  EXPECT_GT(source_accuracy(simulation, 0), 0.9);
  EXPECT_LT(source_accuracy(simulation, 19), 0.85);
  EXPECT_GT(source_accuracy(simulation, 19), 0.5);
}

TEST(Simulate, NamesTheSettingThatBreaksARule) {
  EXPECT_EQ(simulate_error({.classes = 1}), "simulate: classes = 1, must be a whole number from 2 to 1000");
  EXPECT_EQ(simulate_error({.steps = 0}), "simulate: steps = 0, must be a whole number from 1 to 100000");
  EXPECT_EQ(simulate_error({.dimension = 4097}), "simulate: dimension = 4097, must be a whole number from 2 to 4096");
  EXPECT_EQ(simulate_error({.strength = -1}), "simulate: strength = -1, must be a number from 0 to 10");
  EXPECT_EQ(simulate_error({.noise = 0}), "simulate: noise = 0, must be a number above 0 and up to 10");
  EXPECT_EQ(simulate_error({.noise = std::nan("")}), "simulate: noise = nan, must be a number above 0 and up to 10");
}

TEST(Simulate, RefusesSizesThatNeedTooMuchMemory) {
  const auto message = simulate_error({.steps = 100'000, .samples_per_step = 1'000'000'000, .dimension = 4096});
  EXPECT_NE(message.find("must need at most 4 GB"), std::string::npos) << message;
}

TEST(Simulate, WorksAtTheSmallestSizes) {
  const auto simulation = simulated({.steps = 1, .samples_per_step = 1, .classes = 2, .dimension = 2});
  EXPECT_EQ(simulation.stream.features.rows, 1);
}

}  // namespace
}  // namespace stad
