#include "safe/base.hpp"

#include <gtest/gtest.h>

#include <stad/methods.hpp>

#include "adapt/stad_safe_adapter.hpp"
#include "base/random.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

/// A head with logits ten times as large as those of random_stream(), as trained heads have them.
RandomStream sharp_head() {
  RandomStream stream = random_stream(3, {.classes = 4, .dimension = 16, .offset = 0});
  for (Index i = 0; i < stream.weight.size(); ++i) stream.weight.data()[i] *= 10;
  return stream;
}

const RandomStream kHead = sharp_head();

/// Rows of a random stream ordered by class, in runs of 20, with noise that is white or persists.
std::vector<Matrix> runs_of_classes(const RandomStream& stream, double noise, double noise_stay) {
  constexpr Index kBatches = 40, kRows = 40;
  Random random(7);
  const Index d = stream.weight.cols();
  Eigen::VectorXd error = Eigen::VectorXd::Zero(d);
  std::vector<Matrix> batches;
  for (Index b = 0; b < kBatches; ++b) {
    Matrix batch(kRows, d);
    for (Index n = 0; n < kRows; ++n) {
      const Index label = (b * kRows + n) / 20 % stream.weight.rows();
      for (Index j = 0; j < d; ++j) {
        error[j] = noise_stay * error[j] + noise * std::sqrt(1 - noise_stay * noise_stay) * random.normal();
        batch(n, j) = stream.weight(label, j) / 10 + static_cast<float>(error[j]);
      }
    }
    batches.push_back(std::move(batch));
  }
  return batches;
}

Guard guard_after(const RandomStream& stream, const std::vector<Matrix>& batches) {
  StadSafeAdapter adapter(stream.source(), {});
  for (const Matrix& batch : batches) EXPECT_TRUE(adapter.adapt(batch));
  return *adapter.guard();
}

TEST(Base, LetsChainsAnswerWhereLabelsPersistAndNoiseDoesNot) {
  const Guard guard = guard_after(kHead, runs_of_classes(kHead, 0.25, 0));
  EXPECT_TRUE(guard.chains);
  EXPECT_EQ(guard.held_by, GuardTest::kNone);
}

TEST(Base, IsHeldByNoiseThatPersists) {
  const Guard guard = guard_after(kHead, runs_of_classes(kHead, 0.25, 0.95));
  EXPECT_FALSE(guard.chains);
  EXPECT_EQ(guard.held_by, GuardTest::kAutocorrelation);
  EXPECT_GT(guard.zeta, 4);
}

TEST(Base, AnswersAsTheSourceBitForBitWhereLabelsDoNotPersist) {
  const auto stream = random_stream(5, {.batch_sizes = std::vector<Index>(30, 64)});
  const auto safe = *make_adapter("stad-safe", stream.source());
  const auto source = *make_adapter("source", stream.source());
  for (const Matrix& batch : stream.batches) {
    EXPECT_EQ(safe->adapt(batch)->probabilities, source->adapt(batch)->probabilities);
    EXPECT_EQ(safe->guard()->chains, false);
  }
  EXPECT_EQ(safe->guard()->held_by, GuardTest::kZeta);
}

TEST(Base, DividesTheLogitsByTheTemperatureOfTheCardAndKeepsTheLabels) {
  const auto stream = random_stream(6, {.batch_sizes = {64}});
  SourceCard card;
  card.temperature = 3;
  const auto safe = *make_adapter("stad-safe", *stream.source().with_card(card));
  const auto source = *make_adapter("source", stream.source());
  const auto soft = *safe->adapt(stream.batches[0]), sharp = *source->adapt(stream.batches[0]);
  EXPECT_EQ(soft.labels, sharp.labels);
  EXPECT_LT(soft.health.confidence, sharp.health.confidence - 0.1);
}

TEST(Base, KeepsItsStateOnlyWithItsCard) {
  const auto stream = random_stream(6, {.batch_sizes = {64}});
  SourceCard card;
  card.temperature = 3;
  const auto with = *make_adapter("stad-safe", *stream.source().with_card(card));
  const auto without = *make_adapter("stad-safe", stream.source());
  ASSERT_TRUE(with->adapt(stream.batches[0]));
  EXPECT_EQ(without->restore(with->state()).error().message,
            "state: was made with another source card; continue it with that card, or start from the source");
}

TEST(Base, RefusesAStateOfTheFormerMethodAndSaysWhatToDo) {
  const auto stream = random_stream(6, {.batch_sizes = {64}});
  const auto safe = *make_adapter("stad-safe", stream.source());
  AdapterState former = safe->state();
  former.options.push_back({"unknown", "off", false});
  EXPECT_EQ(safe->restore(former).error().message,
            "state: was made with unknown = off, an option that stad-safe of this version does not have: the method "
            "has changed; start the stream again from its source");
}

TEST(Base, RestoresBitForBitWhileChainsAnswer) {
  const auto batches = runs_of_classes(kHead, 0.25, 0);
  const auto whole = *make_adapter("stad-safe", kHead.source());
  bool by_chains = false;
  for (std::size_t t = 0; t < batches.size(); ++t) {
    const auto resumed = *make_adapter("stad-safe", kHead.source());
    ASSERT_TRUE(resumed->restore(whole->state()));
    const auto expected = *whole->adapt(batches[t]);
    EXPECT_EQ(resumed->adapt(batches[t])->probabilities, expected.probabilities) << t;
    EXPECT_EQ(resumed->state(), whole->state()) << t;
    by_chains |= whole->guard()->chains;
  }
  EXPECT_TRUE(by_chains);
}

TEST(Base, StaysFiniteWithTheLargestFeatures) {
  const auto safe = *make_adapter("stad-safe", kHead.source());
  Matrix huge(10, 16);
  for (Index i = 0; i < huge.size(); ++i) huge.data()[i] = i % 3 ? 1e15F : -1e15F;
  for (const Matrix& batch : {huge, kHead.batches[0], huge}) {
    const auto answer = *safe->adapt(batch);
    for (Index n = 0; n < batch.rows(); ++n)
      for (const float p : answer.probabilities.row(n)) EXPECT_TRUE(std::isfinite(p));
    EXPECT_TRUE(std::isfinite(safe->guard()->autocorrelation));
    const auto resumed = *make_adapter("stad-safe", kHead.source());
    const auto restored = resumed->restore(safe->state());
    EXPECT_TRUE(restored) << restored.error().message;
  }
}

}  // namespace
}  // namespace stad::testing
