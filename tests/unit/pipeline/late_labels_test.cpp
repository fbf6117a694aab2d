#include <gtest/gtest.h>

#include <stad/eval/pipeline.hpp>
#include <stad/eval/simulate.hpp>
#include <stad/methods.hpp>

namespace stad::testing {
namespace {

Simulation late_label_simulation() {
  return *simulate({.drift = Drift::kRapid, .steps = 6, .samples_per_step = 100, .strength = 1.5, .seed = 3});
}

RunReport run_with(const Simulation& simulation, const BatchSettings& settings) {
  return *run(**make_adapter("stad-vmf", simulation.source), simulation.stream, settings);
}

std::string late_labels_error(const FeatureStream& stream, const AdapterPointer& adapter, LateLabels late) {
  const auto before = adapter->state();
  const auto report = run(*adapter, stream, {.late_labels = late});
  EXPECT_EQ(adapter->state(), before);
  EXPECT_FALSE(check_run(stream, *adapter, {.late_labels = late}));
  return report ? "" : report.error().message;
}

TEST(LateLabels, AreToldSoManyBatchesLate) {
  const auto simulation = late_label_simulation();
  const BatchSettings settings{.batch_size = 50};
  EXPECT_EQ(run_with(simulation, settings).labels.used, 0);
  for (const Index delay : {0, 1, 2}) {
    BatchSettings late = settings;
    late.late_labels = {.delay = delay};
    const auto report = run_with(simulation, late);
    EXPECT_EQ(report.labels.used, 600 - 50 * delay);
    EXPECT_EQ(report.labels.forgotten, 0);
  }
}

TEST(LateLabels, ThatAreTooLateAreCounted) {
  const auto simulation = late_label_simulation();
  const auto report = run_with(simulation, {.batch_size = 10, .late_labels = LateLabels{.delay = 55}});
  EXPECT_EQ(report.labels.used, 0);
  EXPECT_EQ(report.labels.forgotten, 50);
}

TEST(LateLabels, NeverReachTheAnswerToTheirOwnBatch) {
  const auto simulation = late_label_simulation();
  const auto without = run_with(simulation, {.batch_size = 600, .across_steps = true});
  const auto with =
      run_with(simulation, {.batch_size = 600, .across_steps = true, .late_labels = LateLabels{.delay = 0}});
  EXPECT_EQ(with.predictions.probabilities, without.predictions.probabilities);
}

TEST(LateLabels, OfAShareOfTheRowsAreDrawnBySeed) {
  const auto simulation = late_label_simulation();
  const auto used = [&](double share, std::uint64_t seed) {
    return run_with(simulation, {.batch_size = 50, .seed = seed, .late_labels = LateLabels{.share = share}})
        .labels.used;
  };
  EXPECT_EQ(used(0.2, 1), used(0.2, 1));
  EXPECT_NE(used(0.2, 1), used(0.2, 2));
  EXPECT_NEAR(static_cast<double>(used(0.2, 1)), 110, 40);
}

TEST(LateLabels, OfNoClassDoNotCome) {
  auto simulation = late_label_simulation();
  for (std::size_t n = 0; n < simulation.stream.labels.size(); n += 2) simulation.stream.labels[n] = kNoClass;
  EXPECT_EQ(run_with(simulation, {.batch_size = 50, .late_labels = LateLabels{}}).labels.used, 275);
}

TEST(LateLabels, SayWhatIsWrongBeforeTheFirstBatch) {
  const auto simulation = late_label_simulation();
  const auto vmf = *make_adapter("stad-vmf", simulation.source);
  EXPECT_EQ(late_labels_error(simulation.stream, vmf, {.delay = -1}), "label delay = -1, must be at least 0");
  EXPECT_EQ(late_labels_error(simulation.stream, vmf, {.share = 0}), "label share = 0, must be above 0 and at most 1");
  EXPECT_EQ(late_labels_error(simulation.stream, vmf, {.share = 1.5}),
            "label share = 1.5, must be above 0 and at most 1");
  EXPECT_EQ(late_labels_error(simulation.stream, *make_adapter("t3a", simulation.source), {}),
            "t3a takes no labels, stad-vmf and stad-safe with label_budget do");
  FeatureStream bare = simulation.stream;
  bare.labels.clear();
  EXPECT_EQ(late_labels_error(bare, vmf, {}), bare.name + ": has no labels, late labels require them");
}

}  // namespace
}  // namespace stad::testing
