#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include <gtest/gtest.h>

#include <stad/eval/pipeline.hpp>
#include <stad/methods.hpp>

#include "unit/simulate/simulated.hpp"

namespace stad::testing {
namespace {

double regime_accuracy(const Simulation& simulation, const std::string& method, const OptionValues& options = {}) {
  const auto adapter = *make_adapter(method, simulation.source, options);
  return run(*adapter, simulation.stream, {})->evaluation->pooled;
}

std::vector<float> row_values(const FeatureStream& stream, Index row) {
  const auto values = stream.features.row(row);
  return {values.begin(), values.end()};
}

/// The rows of every step with their labels, whatever their order.
std::vector<std::pair<double, std::pair<std::int64_t, std::vector<float>>>> contents(const FeatureStream& stream) {
  std::vector<std::pair<double, std::pair<std::int64_t, std::vector<float>>>> rows;
  for (Index n = 0; n < stream.features.rows; ++n) {
    const auto i = static_cast<std::size_t>(n);
    rows.push_back({stream.time[i], {stream.labels[i], row_values(stream, n)}});
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::map<double, Index> unknown_rows(const FeatureStream& stream) {
  std::map<double, Index> counts;
  for (std::size_t n = 0; n < stream.labels.size(); ++n) counts[stream.time[n]] += stream.labels[n] == kNoClass;
  return counts;
}

TEST(ScatteredClasses, AreFoundByALinearHeadAndLostByPrototypes) {
  for (const std::uint64_t seed : {0, 1, 2}) {
    for (const auto& [drift, strength] : {std::pair(Drift::kNone, 0.0), std::pair(Drift::kProgressive, 0.3)}) {
      const auto simulation = simulated({.drift = drift, .strength = strength, .scattered = true, .seed = seed});
      const double source = regime_accuracy(simulation, "source");
      EXPECT_GT(source, 0.75) << seed;
      EXPECT_LT(source, 0.95) << seed;
      EXPECT_LT(regime_accuracy(simulation, "t3a"), source - 0.1) << seed;
      EXPECT_LT(regime_accuracy(simulation, "stad-vmf"), source - 0.1) << seed;
      EXPECT_LT(regime_accuracy(simulation, "stad-vmf", {{"center", "source"}}), source - 0.1) << seed;
    }
  }
}

TEST(ScatteredClasses, WorkAtTheSmallestSizes) {
  const auto simulation =
      simulated({.steps = 1, .samples_per_step = 1, .classes = 2, .dimension = 8, .scattered = true});
  EXPECT_EQ(simulation.stream.features.rows, 1);
}

TEST(ScatteredClasses, NeedDimensionsForWhatDisturbsAndAHeadThatIsFoundSoon) {
  EXPECT_EQ(simulate_error({.dimension = 7, .scattered = true}),
            "simulate: dimension = 7, must be at least 8 with scattered classes");
  EXPECT_EQ(simulate_error({.classes = 1000, .dimension = 512, .scattered = true}),
            "simulate: classes = 1000 times dimension = 512 is 512000, must be at most 100000 with scattered classes");
}

TEST(UnknownClass, ComesInTheSecondHalfAsOftenAsAnyOther) {
  const auto simulation = simulated({.steps = 6, .samples_per_step = 3500, .unknown_class = true});
  EXPECT_EQ(simulation.source.classes(), 6);
  for (const auto& [time, count] : unknown_rows(simulation.stream)) {
    if (time < 3)
      EXPECT_EQ(count, 0) << time;
    else
      EXPECT_NEAR(static_cast<double>(count), 500, 85) << time;  // four standard deviations
  }
}

TEST(UnknownClass, LeavesEveryOtherRowAsItWas) {
  for (const Drift drift : {Drift::kProgressive, Drift::kRapid}) {
    const auto without = simulated({.drift = drift, .steps = 4}),
               with = simulated({.drift = drift, .steps = 4, .unknown_class = true});
    EXPECT_EQ(with.source.fingerprint(), without.source.fingerprint());
    for (Index n = 0; n < with.stream.features.rows; ++n) {
      const auto i = static_cast<std::size_t>(n);
      const bool same = row_values(with.stream, n) == row_values(without.stream, n);
      EXPECT_EQ(same, with.stream.labels[i] != kNoClass) << n;
      if (!same) continue;
      EXPECT_EQ(with.stream.labels[i], without.stream.labels[i]) << n;
    }
  }
}

TEST(UnknownClass, LiesAwayFromTheOthers) {
  const auto simulation = simulated({.drift = Drift::kNone, .samples_per_step = 1000, .unknown_class = true});
  // Were it one of the head's classes, nearly all its rows would be given to that class.
  const auto adapter = *make_adapter("source", simulation.source, {});
  const auto report = *run(*adapter, simulation.stream, {});
  std::vector<double> shares(6);
  double rows = 0;
  for (std::size_t n = 0; n < simulation.stream.labels.size(); ++n)
    if (simulation.stream.labels[n] == kNoClass)
      ++shares[static_cast<std::size_t>(report.predictions.labels[n])], ++rows;
  EXPECT_LT(*std::max_element(shares.begin(), shares.end()) / rows, 0.7);
  EXPECT_GT(report.evaluation->pooled, 0.9) << "the head is as good as ever on the classes it knows";
}

TEST(UnknownClass, NeedsASecondHalf) {
  EXPECT_EQ(simulate_error({.steps = 1, .unknown_class = true}),
            "simulate: steps = 1, must be at least 2 with an unknown class");
  EXPECT_EQ(simulate_error({.drift = Drift::kAbrupt, .steps = 1}),
            "simulate: steps = 1, must be at least 2 with abrupt drift");
  EXPECT_EQ(unknown_rows(simulated({.steps = 2, .samples_per_step = 500, .unknown_class = true}).stream)[0], 0);
}

TEST(LabelShift, KeepsTheRowsOfEveryStepInEveryRegime) {
  const SimulationSettings regimes[] = {
      {.drift = Drift::kAbrupt, .steps = 4}, {.steps = 4, .scattered = true}, {.steps = 4, .unknown_class = true}};
  for (SimulationSettings settings : regimes) {
    const auto mixed = simulated(settings);
    settings.label_shift = true;
    const auto sorted = simulated(settings);
    EXPECT_NE(feature_values(mixed.stream), feature_values(sorted.stream));
    EXPECT_EQ(contents(mixed.stream), contents(sorted.stream));
    EXPECT_EQ(mixed.source.fingerprint(), sorted.source.fingerprint());
    Index runs = 1;
    const auto last_step = std::span(sorted.stream.labels).last(256);
    for (std::size_t n = 1; n < last_step.size(); ++n) runs += last_step[n] != last_step[n - 1];
    EXPECT_EQ(runs, settings.unknown_class ? 7 : 6) << "one run a class, the unknown one too";
  }
}

}  // namespace
}  // namespace stad::testing
