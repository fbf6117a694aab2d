#include <limits>

#include <gtest/gtest.h>

#include <stad/eval/pipeline.hpp>
#include <stad/methods.hpp>

#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

/// Six time steps.
struct Recorded {
  RandomStream made;
  FeatureStream stream;

  explicit Recorded(Index rows = 10) : made(random_stream(1, {.batch_sizes = std::vector<Index>(6, rows)})) {
    Matrix all(6 * rows, 16);
    for (Index b = 0; b < 6; ++b) std::copy_n(made.batches[b].data(), 16 * rows, all.row(rows * b).data());
    stream = FeatureStream::from(std::move(all));
    for (Index b = 0; b < 6; ++b)
      for (const Index label : made.labels[b])
        stream.labels.push_back(label), stream.time.push_back(static_cast<double>(b));
  }

  AdapterPointer adapter() const { return *make_adapter(made.source(), StadVmfOptions{}); }
};

std::string run_error(const Recorded& recorded) {
  const auto adapter = recorded.adapter();
  const auto before = adapter->state();
  const auto report = run(*adapter, recorded.stream, {});
  EXPECT_EQ(adapter->state(), before);
  return report ? "" : report.error().message;
}

TEST(Run, AnswersEveryRowInTheOrderOfTheStream) {
  const Recorded recorded;
  const auto report = *run(*recorded.adapter(), recorded.stream, {});
  EXPECT_EQ(report.samples, 60);
  EXPECT_EQ(report.batches, 6);
  const auto by_hand = recorded.adapter();
  for (Index b = 0; b < 6; ++b) {
    const auto expected = *by_hand->adapt(recorded.made.batches[b]);
    for (Index n = 0; n < 10; ++n) EXPECT_EQ(report.predictions.labels[10 * b + n], expected.labels[n]);
  }
}

TEST(Run, PutsReorderedRowsBackInTheirPlaces) {
  const Recorded recorded;
  const auto source = *make_adapter(recorded.made.source(), SourceOptions{});
  const auto plain = *run(*source, recorded.stream, {});
  const auto sorted = *run(*source, recorded.stream, {.batch_size = 4, .order = Order::kSorted, .seed = 5});
  EXPECT_EQ(sorted.predictions.labels, plain.predictions.labels);
  EXPECT_EQ(sorted.evaluation->pooled, plain.evaluation->pooled);
}

TEST(Run, ScoresPooledAndPerStep) {
  const Recorded recorded;
  const auto report = *run(*recorded.adapter(), recorded.stream, {});
  double correct = 0;
  for (Index n = 0; n < 60; ++n) correct += report.predictions.labels[n] == recorded.stream.labels[n];
  EXPECT_DOUBLE_EQ(report.evaluation->pooled, correct / 60);
  EXPECT_EQ(report.evaluation->per_step.size(), 6U);
  EXPECT_NEAR(report.evaluation->step_mean, correct / 60, 1e-12) << "steps of equal size";
}

TEST(Run, ScoresTheRowsOfABatchThatStraddlesStepsInTheirOwnStep) {
  const Recorded recorded;
  const auto source = *make_adapter(recorded.made.source(), SourceOptions{});
  const auto apart = *run(*source, recorded.stream, {.batch_size = 7});
  const auto across = *run(*source, recorded.stream, {.batch_size = 7, .across_steps = true});
  ASSERT_EQ(across.evaluation->per_step.size(), 6U);
  for (std::size_t s = 0; s < 6; ++s)
    EXPECT_EQ(across.evaluation->per_step[s].accuracy, apart.evaluation->per_step[s].accuracy);
}

TEST(Run, AnswersRowsOfNoClassAndLeavesThemOutOfTheScore) {
  const Recorded whole;
  Recorded partly;
  for (Index n = 20; n < 30; ++n) partly.stream.labels[n] = kNoClass;  // all of a step
  for (Index n = 33; n < 36; ++n) partly.stream.labels[n] = kNoClass;
  const auto expected = *run(*whole.adapter(), whole.stream, {});
  const auto report = *run(*partly.adapter(), partly.stream, {});
  EXPECT_EQ(report.samples, 60);
  EXPECT_EQ(report.predictions.labels, expected.predictions.labels);
  ASSERT_TRUE(report.evaluation);
  EXPECT_EQ(report.evaluation->samples, 47);
  ASSERT_EQ(report.evaluation->per_step.size(), 5U);
  EXPECT_EQ(report.evaluation->per_step[2].time, 3);
  EXPECT_EQ(report.evaluation->per_step[2].samples, 7);
  double correct = 0;
  for (Index n = 0; n < 60; ++n) correct += report.predictions.labels[n] == partly.stream.labels[n];
  EXPECT_DOUBLE_EQ(report.evaluation->pooled, correct / 47);
}

TEST(Run, HasNoScoreWhereNoRowUsedHasAClass) {
  Recorded recorded;
  for (Index n = 0; n < 30; ++n) recorded.stream.labels[n] = kNoClass;
  EXPECT_FALSE(run(*recorded.adapter(), recorded.stream, {.until = 2})->evaluation);
  EXPECT_TRUE(run(*recorded.adapter(), recorded.stream, {.until = 3})->evaluation);
}

TEST(Run, TellsOfEveryBatchWhileTheAdapterIsAsItLeftIt) {
  const Recorded recorded;
  const auto adapter = recorded.adapter(), by_hand = recorded.adapter();
  Index told = 0;
  const auto report = run(*adapter, recorded.stream, {}, {}, [&](const PlannedBatch& batch, const Predictions& answer) {
    const auto expected = *by_hand->adapt(recorded.made.batches[told]);
    EXPECT_EQ(batch.time, static_cast<double>(told++));
    EXPECT_EQ(answer.labels, expected.labels);
    EXPECT_EQ(adapter->prototypes(), by_hand->prototypes());
  });
  EXPECT_TRUE(report);
  EXPECT_EQ(told, 6);
}

TEST(Run, RefusesABrokenStreamBeforeTheFirstBatch) {
  Recorded nan;
  const_cast<float*>(nan.stream.features.data)[45 * 16 + 3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(run_error(nan), "stream: features row 45 column 3 is nan, must be finite and at most 1e15 in magnitude");
  Recorded label;
  label.stream.labels[33] = 4;
  EXPECT_EQ(run_error(label), "stream: labels row 33 is 4, must be from 0 to 3, or -1 for none of them");
  label.stream.labels[33] = -2;
  EXPECT_EQ(run_error(label), "stream: labels row 33 is -2, must be from 0 to 3, or -1 for none of them");
  Recorded narrow;
  narrow.stream.features.cols = 15;
  EXPECT_EQ(run_error(narrow), "stream: features have 15 columns, must have 16 as the source weight has");
}

TEST(Run, EndsWhenToldTo) {
  const Recorded recorded;
  Index asked = 0;
  const auto report = run(*recorded.adapter(), recorded.stream, {},
                          [&](const Progress& progress) { return ++asked, progress.batches_done < 3; });
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::kFailed);
  EXPECT_EQ(report.error().message, "interrupted after 3 of 6 batches");
  EXPECT_EQ(asked, 4);
}

TEST(Run, GivesTheSamePredictionsAfterRestoreAsWithoutInterruption) {
  const Recorded recorded;
  const auto whole = *run(*recorded.adapter(), recorded.stream, {});
  const auto first = recorded.adapter();
  ASSERT_TRUE(run(*first, recorded.stream, {.until = 2}));
  const auto second = recorded.adapter();
  ASSERT_TRUE(second->restore(first->state()));
  const auto rest = *run(*second, recorded.stream, {.since = 3});
  for (Index n = 0; n < 30; ++n)
    for (Index k = 0; k < 4; ++k)
      EXPECT_EQ(rest.predictions.probabilities(n, k), whole.predictions.probabilities(30 + n, k));
}

TEST(Run, TellsTheHealthOfEveryTimeStep) {
  const Recorded recorded;
  const auto adapter = recorded.adapter();
  adapter->watch(HealthLevel::kFull);
  const auto report = *run(*adapter, recorded.stream, {.batch_size = 3});
  ASSERT_EQ(report.health.size(), 6U);
  for (Index b = 0; b < 6; ++b) {
    const StepHealth& step = report.health[b];
    EXPECT_EQ(step.time, b);
    EXPECT_EQ(step.before, 10 * b);
    EXPECT_EQ(step.samples, 10);
    EXPECT_EQ(step.health.compared, 10);
  }
  EXPECT_EQ(report.health.back().health.movement, adapter->health().movement);
}

TEST(Run, TellsOfAStreamWithoutTimesInPieces) {
  Recorded recorded;
  recorded.stream.time.clear();
  const auto report = *run(*recorded.adapter(), recorded.stream, {.batch_size = 1});
  EXPECT_EQ(report.health.size(), 60U);
  EXPECT_EQ(report.health.back().before, 59);

  auto many = random_stream(2, {.dimension = 16, .batch_sizes = {250}});
  const auto stream = FeatureStream::from(std::move(many.batches[0]));
  const auto pieces = (*run(*recorded.adapter(), stream, {.batch_size = 1})).health;
  ASSERT_EQ(pieces.size(), 84U);  // of three batches
  EXPECT_EQ(pieces.back().before, 249);
  EXPECT_EQ(pieces.back().samples, 1);
}

/// The source with a card of that accuracy, whose confidence makes every step look as the card expects.
SourceModel with_accuracy(const SourceModel& source, double accuracy) {
  SourceCard card;
  card.accuracy = card.confidence = accuracy;
  return *source.with_card(card);
}

TEST(Run, ComparesWarningLevelsWithLabels) {
  const Recorded recorded(100);
  for (const double card : {0.0, 0.3, 0.95, 1.0}) {
    const auto source = *make_adapter(with_accuracy(recorded.made.source(), card), SourceOptions{});
    source->watch(HealthLevel::kFull);
    const auto report = *run(*source, recorded.stream, {.batch_size = 30});
    ASSERT_TRUE(report.warnings);
    WarningRecord expected;
    for (std::size_t b = 0; b < 6; ++b) {
      if (!report.health[b].health.warning) continue;  // too few rows yet
      const Warning warning = *report.health[b].health.warning;
      const double lost = card - report.evaluation->per_step[b].accuracy;
      ++expected.steps;
      expected.fine += warning == Warning::kFine;
      expected.watch += warning == Warning::kWatch;
      expected.act += warning == Warning::kAct;
      expected.missed += warning == Warning::kFine && lost > 0.1;
      expected.false_alarms += warning == Warning::kAct && lost <= 0;
    }
    EXPECT_EQ(*report.warnings, expected);
    EXPECT_EQ(report.warnings->steps, 4);
  }
}

TEST(Run, HasNoWarningsWithoutACardOrLabels) {
  Recorded recorded(100);
  const auto run_full = [&](const SourceModel& source) {
    const auto adapter = *make_adapter(source, SourceOptions{});
    adapter->watch(HealthLevel::kFull);
    return *run(*adapter, recorded.stream, {});
  };
  EXPECT_FALSE(run_full(recorded.made.source()).warnings);
  const SourceModel carded = with_accuracy(recorded.made.source(), 0.9);
  EXPECT_TRUE(run_full(carded).warnings);
  recorded.stream.labels.clear();
  EXPECT_FALSE(run_full(carded).warnings);
}

TEST(Run, TakesTheGuardOfTheLastBatchOfAStep) {
  const Recorded recorded;
  const auto adapter = *make_adapter(recorded.made.source(), StadSafeOptions{});
  const auto report = *run(*adapter, recorded.stream, {.batch_size = 3});
  ASSERT_TRUE(report.health.back().health.guard);
  EXPECT_EQ(report.health.back().health.guard->zeta, adapter->guard()->zeta);
  EXPECT_EQ(report.health.back().health.guard->held_by, GuardTest::kRows);
}

TEST(WarningRecord, AddsUp) {
  WarningRecord sum{.steps = 3, .fine = 1, .watch = 1, .act = 1, .missed = 1, .false_alarms = 0};
  sum += {.steps = 2, .fine = 0, .watch = 0, .act = 2, .missed = 0, .false_alarms = 2};
  EXPECT_EQ(sum, (WarningRecord{.steps = 5, .fine = 1, .watch = 1, .act = 3, .missed = 1, .false_alarms = 2}));
}

TEST(Run, TellsNoHealthOfWhatIsNotWatched) {
  const Recorded recorded;
  const auto adapter = recorded.adapter();
  adapter->watch(HealthLevel::kNone);
  const auto report = *run(*adapter, recorded.stream, {});
  EXPECT_TRUE(report.health.empty());
  EXPECT_FALSE(report.warnings);
}

}  // namespace
}  // namespace stad::testing
