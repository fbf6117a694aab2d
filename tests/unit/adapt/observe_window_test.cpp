// Labels that come while stad-vmf still has their rows in its window: it holds their classes.

#include <limits>

#include <gtest/gtest.h>

#include <stad/eval/simulate.hpp>
#include <stad/methods.hpp>

#include "math/eigen.hpp"
#include "math/unit_rows.hpp"
#include "support/late_labels.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

const RandomStreamShape kWindowStreamShape{.classes = 4, .dimension = 12, .batch_sizes = {9, 1, 16, 7, 2, 30, 5, 5}};

TEST(ObserveInTheWindow, IdsAloneChangeNoAnswer) {
  const auto stream = random_stream(21, kWindowStreamShape);
  for (const char* learn : {"none", "class"}) {
    const auto plain = *make_adapter("stad-vmf", stream.source(), {{"learn_kappa", learn}});
    const auto naming = *make_adapter("stad-vmf", stream.source(), {{"learn_kappa", learn}});
    for (const Matrix& batch : stream.batches)
      EXPECT_EQ(naming->adapt(named(batch, numbers(0, batch.rows())))->probabilities,
                plain->adapt(batch)->probabilities);
  }
}

TEST(ObserveInTheWindow, FindsRowsAsLongAsTheyWillBeSweptAgain) {
  const auto stream = random_stream(22, {.classes = 4, .dimension = 12, .batch_sizes = std::vector<Index>(8, 5)});
  const auto adapter = *make_adapter("stad-vmf", stream.source(), {{"window", "2"}});
  for (Index t = 0; t < 8; ++t) ASSERT_TRUE(adapter->adapt(named(stream.batches[t], numbers(10 * t, 5))));
  const auto observed = *adapter->observe(Integers{70, 74, 60, 50, 0, 75}, Integers{0, 1, 2, 3, 0, 0});
  EXPECT_EQ(observed.used, 3) << "of the two newest batches";
  EXPECT_EQ(observed.forgotten, 3) << "of one that slides out, of one that has, and of an id that was never given";
  const auto alone = *make_adapter("stad-vmf", stream.source(), {{"window", "0"}});
  ASSERT_TRUE(alone->adapt(named(stream.batches[0], numbers(0, 5))));
  EXPECT_EQ(alone->observe(Integers{0}, Integers{0})->forgotten, 1);
}

TEST(ObserveInTheWindow, MovesAPrototypeTowardsTheRowsThatAreOfItsClass) {
  const auto stream = random_stream(23, {.classes = 4, .dimension = 12, .batch_sizes = {20, 1}});
  const auto told = *make_adapter("stad-vmf", stream.source());
  const auto untold = *make_adapter("stad-vmf", stream.source());
  const auto unit = unit_rows<float>(stream.batches[0]).rows;
  for (const auto& adapter : {&told, &untold}) ASSERT_TRUE((*adapter)->adapt(named(stream.batches[0], numbers(0, 20))));
  ASSERT_TRUE(told->observe(numbers(0, 20), Integers(20, 2)));
  for (const auto& adapter : {&told, &untold}) ASSERT_TRUE((*adapter)->adapt(stream.batches[1]));
  const auto closeness = [&](const Adapter& adapter) {
    return as_eigen(adapter.prototypes()).row(2).normalized().dot(unit.colwise().sum().normalized());
  };
  EXPECT_GT(closeness(*told), closeness(*untold) + 0.1F);
}

TEST(ObserveInTheWindow, SurvivesSavingBitForBit) {
  const auto stream = random_stream(24, kWindowStreamShape);
  for (const char* learn : {"none", "class"}) {
    const OptionValues options{{"learn_kappa", learn}, {"window", "2"}};
    const auto step = [&](Adapter& adapter, std::size_t t) {
      const auto first = std::numeric_limits<std::int64_t>::max() - 100 * static_cast<std::int64_t>(t + 1);
      auto answer = *adapter.adapt(named(stream.batches[t], numbers(first, stream.batches[t].rows())));
      if (t > 0) {
        EXPECT_EQ(adapter.observe(Integers{first + 100, first}, Integers{1, 3})->used, 2);
      }
      return answer;
    };
    for (std::size_t pause = 0; pause < stream.batches.size(); ++pause) {
      const auto whole = *make_adapter("stad-vmf", stream.source(), options);
      for (std::size_t t = 0; t < pause; ++t) step(*whole, t);
      const AdapterState saved = whole->state();
      const auto resumed = *make_adapter("stad-vmf", stream.source(), options);
      ASSERT_TRUE(resumed->restore(saved));
      EXPECT_EQ(resumed->state(), saved);
      for (std::size_t t = pause; t < stream.batches.size(); ++t)
        ASSERT_EQ(step(*resumed, t).probabilities, step(*whole, t).probabilities) << pause << " " << t;
    }
  }
}

TEST(ObserveInTheWindow, RefusesAStateWithLabelsThatAreNoClasses) {
  const auto stream = random_stream(25, kWindowStreamShape);
  const auto adapter = *make_adapter("stad-vmf", stream.source());
  ASSERT_TRUE(adapter->adapt(named(stream.batches[0], numbers(0, 9))));
  ASSERT_TRUE(adapter->observe(Integers{3}, Integers{1}));
  AdapterState state = adapter->state();
  for (Tensor& tensor : state.tensors)
    if (tensor.name == "step0.known") std::get<Integers>(tensor.values)[0] = 4;
  EXPECT_NE(state, adapter->state());
  EXPECT_FALSE(adapter->restore(state));
}

TEST(ObserveInTheWindow, AllLabelsOneBatchLateHelp) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto drawn = *simulate({.drift = Drift::kProgressive, .steps = 40, .strength = 3, .seed = seed});
    EXPECT_GT(accuracy(drawn, drawn.source, 1, "stad-vmf"), accuracy(drawn, drawn.source, 0, "stad-vmf")) << seed;
  }
}

TEST(ObserveInTheWindow, LearnsFromLabelledRowsThatItHasNotSeen) {
  const auto stream = random_stream(26, {.classes = 4, .dimension = 12, .batch_sizes = {30}});
  const auto adapter = *make_adapter("stad-vmf", stream.source());
  const Matrix before = adapter->prototypes();
  EXPECT_EQ(adapter->observe(stream.batches[0], Integers(30, 2))->used, 30);
  const auto mean = unit_rows<float>(stream.batches[0]).rows.colwise().sum().eval();
  EXPECT_GT(as_eigen(adapter->prototypes()).row(2).dot(mean), as_eigen(before).row(2).dot(mean));
}

}  // namespace
}  // namespace stad::testing
