// What every method tells of itself without labels.

#include <numeric>

#include <gtest/gtest.h>

#include <stad/eval/prototype_geometry.hpp>
#include <stad/methods.hpp>

#include "support/method_cases.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

const RandomStreamShape kHealthStreamShape{.classes = 4, .dimension = 12, .batch_sizes = {9, 1, 16, 7, 2, 30, 5, 5}};

class HealthOf : public ::testing::TestWithParam<MethodCase> {
 protected:
  AdapterPointer adapter(const RandomStream& stream, HealthLevel level) const {
    auto made = *make_adapter(GetParam().method, stream.source(), GetParam().options);
    made->watch(level);
    return made;
  }
};

TEST_P(HealthOf, ChangesNoAnswerAndNoState) {
  const auto stream = random_stream(1, kHealthStreamShape);
  for (const HealthLevel level : {HealthLevel::kBasic, HealthLevel::kFull}) {
    const auto watched = adapter(stream, level);
    const auto plain = adapter(stream, HealthLevel::kNone);
    for (const Matrix& batch : stream.batches)
      EXPECT_EQ(watched->adapt(batch)->probabilities, plain->adapt(batch)->probabilities);
    EXPECT_EQ(watched->state(), plain->state());
  }
}

TEST_P(HealthOf, IsWithinItsBounds) {
  const auto stream = random_stream(2, kHealthStreamShape);
  for (const HealthLevel level : {HealthLevel::kBasic, HealthLevel::kFull}) {
    const auto method = adapter(stream, level);
    for (const Matrix& batch : stream.batches) {
      const Health health = method->adapt(batch)->health;
      EXPECT_GT(health.confidence, 0);
      EXPECT_LE(health.confidence, 1);
      EXPECT_LE(health.flipped, health.compared);
      EXPECT_LE(health.compared, batch.rows());
      EXPECT_FALSE(health.warning) << "the source has no card";
      EXPECT_EQ(health.evidence.size(), 4U);
    }
  }
}

TEST_P(HealthOf, CountsWhatTheSourceAnswersOtherwise) {
  const auto stream = random_stream(3, kHealthStreamShape);
  const auto method = adapter(stream, HealthLevel::kFull);
  const auto source = *make_adapter(stream.source(), SourceOptions{});
  for (const Matrix& batch : stream.batches) {
    const auto answer = *method->adapt(batch);
    const auto labels = source->adapt(batch)->labels;
    Index flipped = 0;
    for (std::size_t n = 0; n < labels.size(); ++n) flipped += labels[n] != answer.labels[n];
    EXPECT_EQ(answer.health.compared, batch.rows());
    EXPECT_EQ(answer.health.flipped, flipped);
  }
}

TEST_P(HealthOf, SaysInFullWhereThePrototypesStand) {
  const auto stream = random_stream(4, kHealthStreamShape);
  const auto method = adapter(stream, HealthLevel::kFull);
  Health health;
  for (const Matrix& batch : stream.batches) health = method->adapt(batch)->health;
  const Matrix prototypes = method->prototypes();
  EXPECT_EQ(health.dispersion, dispersion(prototypes));
  ASSERT_EQ(health.movement.size(), 4U);
  const double mean = std::accumulate(health.movement.begin(), health.movement.end(), 0.0) / 4;
  EXPECT_NEAR(mean, *mean_angle(prototypes, method->source().weight()), 1e-9);
  EXPECT_EQ(method->health().movement, health.movement);
  EXPECT_EQ(method->health().dispersion, health.dispersion);
  EXPECT_TRUE(health.guard);
}

INSTANTIATE_TEST_SUITE_P(Health, HealthOf, ::testing::ValuesIn(method_cases()),
                         [](const auto& param) { return param.param.name; });

TEST(Health, CountsEvidenceByClassAndForgetsIt) {
  const auto stream = random_stream(5, {.classes = 3, .batch_sizes = std::vector<Index>(60, 100)});
  const auto method = *make_adapter(stream.source(), SourceOptions{});
  const auto total = [&](const Health& health) {
    return std::accumulate(health.evidence.begin(), health.evidence.end(), 0.0);
  };
  EXPECT_NEAR(total(method->adapt(stream.batches[0])->health), 100, 1e-3);
  Health health;
  for (const Matrix& batch : stream.batches) health = method->adapt(batch)->health;
  EXPECT_GT(total(health), 900);
  EXPECT_LT(total(health), 1100);
}

TEST(Health, AsksTheSourceAboutEvery32ndRowHoweverTheStreamIsCut) {
  for (const Index rows : {1, 3, 8, 64}) {
    const auto stream =
        random_stream(6, {.batch_sizes = std::vector<Index>(static_cast<std::size_t>(192 / rows), rows)});
    const auto method = *make_adapter(stream.source(), StadVmfOptions{});
    Index compared = 0;
    for (const Matrix& batch : stream.batches) compared += method->adapt(batch)->health.compared;
    EXPECT_EQ(compared, 6) << rows;
  }
}

TEST(Health, TellsTheGuardOfTheMethodThatHasOne) {
  const auto stream = random_stream(7, kHealthStreamShape);
  const auto safe = *make_adapter(stream.source(), StadSafeOptions{});
  const auto answer = *safe->adapt(stream.batches[0]);
  ASSERT_TRUE(answer.health.guard);
  EXPECT_FALSE(answer.health.guard->chains);
  EXPECT_EQ(answer.health.guard->held_by, GuardTest::kRows);
  EXPECT_EQ(answer.health.compared, stream.batches[0].rows());
  EXPECT_EQ(answer.health.flipped, 0) << "the source answers";
  EXPECT_FALSE((*make_adapter(stream.source(), SourceOptions{}))->guard());
}

/// A stream without drift whose head has logits ten times as large as usual.
RandomStream steady_stream(std::size_t batches) {
  auto stream = random_stream(8, {.batch_sizes = std::vector<Index>(batches, 300), .noise = 0.7, .drift = 0});
  for (Index i = 0; i < stream.weight.size(); ++i) stream.weight.data()[i] *= 10;
  return stream;
}

/// Its source with a card made from its first rows.
SourceModel source_with_card(const RandomStream& stream) {
  const std::vector<std::int64_t> labels(stream.labels[0].begin(), stream.labels[0].end());
  return *stream.source().with_card(stream.batches[0], labels);
}

TEST(Health, WarnsOfAShiftOfTheFeaturesIfTheSourceHasACard) {
  const auto stream = steady_stream(20);
  const SourceModel source = source_with_card(stream);
  for (const char* method : {"stad-safe", "source", "stad-vmf"}) {
    const auto adapter = *make_adapter(method, source);
    adapter->watch(HealthLevel::kFull);
    Health health;
    for (std::size_t t = 1; t < 10; ++t) health = adapter->adapt(stream.batches[t])->health;
    EXPECT_EQ(health.warning, Warning::kFine) << method;
    for (std::size_t t = 10; t < 20; ++t) {
      Matrix moved = stream.batches[t];
      for (Index n = 0; n < moved.rows(); ++n)
        for (Index d = 0; d < moved.cols(); ++d) moved(n, d) += source.weight()(0, d) / 10;
      health = adapter->adapt(moved)->health;
    }
    EXPECT_EQ(health.warning, Warning::kAct) << method;
  }
}

TEST(Health, HasNoWarningAtLevelBasicForMethodsOtherThanTheDefault) {
  const auto stream = steady_stream(2);
  const SourceModel source = source_with_card(stream);
  EXPECT_FALSE((*make_adapter("source", source))->adapt(stream.batches[1])->health.warning);
  EXPECT_TRUE((*make_adapter("stad-safe", source))->adapt(stream.batches[1])->health.warning);
}

TEST(Health, IsNotWatchedUnlessAsked) {
  const auto stream = random_stream(10, kHealthStreamShape);
  const auto method = *make_adapter(stream.source(), StadSafeOptions{});
  method->watch(HealthLevel::kNone);
  const Health health = method->adapt(stream.batches[0])->health;
  EXPECT_TRUE(health.evidence.empty());
  EXPECT_FALSE(health.guard);
  EXPECT_TRUE(method->predict(stream.batches[1])->health.evidence.empty());
}

}  // namespace
}  // namespace stad::testing
