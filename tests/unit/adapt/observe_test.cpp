// Labels that come after their rows.

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <stad/eval/simulate.hpp>
#include <stad/methods.hpp>
#include <stad/threads.hpp>

#include "math/eigen.hpp"
#include "math/unit_rows.hpp"
#include "support/late_labels.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

const RandomStreamShape kLabelStreamShape{.classes = 4, .dimension = 12, .batch_sizes = {9, 1, 16, 7, 2, 30, 5, 5}};

/// Sums of responsibility-weighted features of the classes, K x D.
FloatRows sums_of(const Adapter& adapter) {
  const AdapterState state = adapter.state();
  const auto& sums = std::get<std::vector<float>>(state.find("prototypes.usual.sums")->values);
  return Eigen::Map<const FloatRows>(sums.data(), state.classes, state.dimension);
}

TEST(Observe, IsRefusedByMethodsThatTakeNoLabels) {
  const auto stream = random_stream(1, kLabelStreamShape);
  for (const char* method : {"source", "t3a", "lame", "stad-gauss"}) {
    const auto adapter = *make_adapter(method, stream.source());
    const auto refused = adapter->observe(Integers{1}, Integers{0});
    ASSERT_FALSE(refused) << method;
    EXPECT_EQ(refused.error().message, std::string(method) + " takes no labels, stad-safe and stad-vmf do");
    EXPECT_FALSE(adapter->observe(stream.batches[1], Integers{0}));
    EXPECT_TRUE(adapter->adapt(named(stream.batches[1], {5}))) << "ids do no harm";
  }
}

TEST(Observe, NamesWhatIsWrongAndChangesNothing) {
  const auto stream = random_stream(2, kLabelStreamShape);
  const auto adapter = *make_adapter("stad-safe", stream.source());
  ASSERT_TRUE(adapter->adapt(named(stream.batches[0], numbers(0, 9))));
  const AdapterState before = adapter->state();
  EXPECT_EQ(adapter->observe(Integers{0, 1}, Integers{0}).error().message,
            "labels: there are 1 for 2 ids, must be as many");
  EXPECT_EQ(adapter->observe(Integers{0, 1}, Integers{0, 4}).error().message,
            "labels: number 1 is 4, must be from 0 to 3");
  EXPECT_EQ(adapter->observe(Integers{0, 1}, Integers{-1, 0}).error().message,
            "labels: number 0 is -1, must be from 0 to 3");
  EXPECT_EQ(adapter->observe(stream.batches[2], Integers{0}).error().message,
            "labels: there are 1 for 16 rows, must be as many");
  Matrix broken = stream.batches[1];
  broken(0, 3) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(adapter->observe(broken, Integers{0}));
  EXPECT_EQ(adapter->adapt(named(stream.batches[0], numbers(0, 8))).error().message,
            "batch: has 8 ids for 9 rows, must have as many, or none");
  EXPECT_EQ(adapter->state(), before);
}

TEST(Observe, CountsRowsOfWhichNothingIsRemembered) {
  const auto stream = random_stream(3, kLabelStreamShape);
  const auto adapter = *make_adapter("stad-safe", stream.source());
  ASSERT_TRUE(adapter->adapt(stream.batches[0]));
  const AdapterState before = adapter->state();
  const auto none = *adapter->observe(Integers{0, 1}, Integers{0, 1});
  EXPECT_EQ(none.used, 0);
  EXPECT_EQ(none.forgotten, 2);
  EXPECT_EQ(adapter->state(), before);

  ASSERT_TRUE(adapter->adapt(named(stream.batches[2], numbers(0, 16))));
  for (Index t = 0; t < 17; ++t) ASSERT_TRUE(adapter->adapt(named(stream.batches[5], numbers(100 + 30 * t, 30))));
  // 16 + 17 * 30 rows are 14 more than are kept.
  const auto some = *adapter->observe(Integers{13, 14, 15, 100 + 30 * 17 - 1}, Integers{0, 0, 1, 2});
  EXPECT_EQ(some.used, 3);
  EXPECT_EQ(some.forgotten, 1);
  ASSERT_TRUE(adapter->adapt(named(stream.batches[2], numbers(0, 16))));
  ASSERT_TRUE(adapter->adapt(named(stream.batches[2], numbers(1000, 16))));
  EXPECT_EQ(adapter->observe(Integers{100, 1000}, Integers{0, 1})->forgotten, 1);
}

TEST(Observe, PutsRowsWhereTheyWouldBeHadTheirClassBeenKnown) {
  const auto stream = random_stream(4, kLabelStreamShape);
  const auto adapter = *make_adapter("stad-safe", stream.source());
  const Matrix& rows = stream.batches[2];
  ASSERT_TRUE(adapter->adapt(named(rows, numbers(0, 16))));
  Integers labels;
  for (Index n = 0; n < 16; ++n) labels.push_back(n * 5 % 4);
  EXPECT_EQ(adapter->observe(numbers(0, 16), labels)->used, 16);

  std::vector<Index> directed(16);
  FloatRows unit(16, 12);
  unit_rows<float>(rows, stream.source().mean(), FloatRowsMap(unit.data(), 16, 12), directed);
  FloatRows expected = FloatRows::Zero(4, 12);
  for (Index n = 0; n < 16; ++n) expected.row(labels[static_cast<std::size_t>(n)]) += unit.row(n);
  EXPECT_LT((sums_of(*adapter) - expected).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(Observe, TakesBackNoMoreThanIsLeft) {
  // A row that has nearly faded away between its batch and its label moves nearly nothing.
  const auto stream = random_stream(5, {.classes = 2, .dimension = 6, .batch_sizes = std::vector<Index>(60, 8)});
  const auto adapter = *make_adapter("stad-safe", stream.source());
  const auto shift = [&](std::int64_t id) {
    const FloatRows before = sums_of(*adapter);
    EXPECT_EQ(adapter->observe(Integers{id}, Integers{1})->used, 1);
    return (sums_of(*adapter) - before).norm();
  };
  std::int64_t next = 0;
  for (const Matrix& batch : stream.batches) ASSERT_TRUE(adapter->adapt(named(batch, numbers((next += 8) - 8, 8))));
  double old = 0;
  double young = 0;
  for (Index i = 0; i < 8; ++i) old += shift(i);
  for (Index i = 0; i < 8; ++i) young += shift(next - 1 - i);
  EXPECT_GT(young, 5 * old);
}

TEST(Observe, CountsALabelOnce) {
  const auto stream = random_stream(6, kLabelStreamShape);
  const auto adapter = *make_adapter("stad-safe", stream.source());
  ASSERT_TRUE(adapter->adapt(named(stream.batches[5], numbers(0, 30))));
  const Integers ids = numbers(10, 5);
  const Integers labels{3, 1, 0, 2, 1};
  ASSERT_TRUE(adapter->observe(ids, labels));
  const AdapterState once = adapter->state();
  ASSERT_TRUE(adapter->observe(ids, labels));
  EXPECT_EQ(adapter->state(), once);
}

TEST(Observe, BelievesTheLastLabelOfARow) {
  const auto stream = random_stream(7, kLabelStreamShape);
  const auto corrected = *make_adapter("stad-safe", stream.source());
  const auto right = *make_adapter("stad-safe", stream.source());
  for (const auto& adapter : {&corrected, &right})
    ASSERT_TRUE((*adapter)->adapt(named(stream.batches[5], numbers(0, 30))));
  ASSERT_TRUE(corrected->observe(Integers{4, 4}, Integers{0, 2}));
  ASSERT_TRUE(right->observe(Integers{4}, Integers{2}));
  EXPECT_LT((sums_of(*corrected) - sums_of(*right)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Observe, IdsAloneChangeNoAnswer) {
  const auto stream = random_stream(8, kLabelStreamShape);
  const auto plain = *make_adapter("stad-safe", stream.source());
  const auto naming = *make_adapter("stad-safe", stream.source());
  for (const Matrix& batch : stream.batches)
    EXPECT_EQ(naming->adapt(named(batch, numbers(0, batch.rows())))->probabilities, plain->adapt(batch)->probabilities);
}

TEST(Observe, SurvivesSavingBitForBit) {
  const auto stream = random_stream(9, kLabelStreamShape);
  const auto step = [&](Adapter& adapter, std::size_t t) {
    const Matrix& batch = stream.batches[t];
    const auto first = (std::int64_t{1} << 62) + 100 * static_cast<std::int64_t>(t);
    auto answer = *adapter.adapt(named(batch, numbers(first, batch.rows())));
    if (t > 0) {
      EXPECT_EQ(adapter.observe(Integers{first - 100, first}, Integers{1, 3})->used, 2);
    }
    return answer;
  };
  for (std::size_t pause = 0; pause < stream.batches.size(); ++pause) {
    const auto whole = *make_adapter("stad-safe", stream.source());
    for (std::size_t t = 0; t < pause; ++t) step(*whole, t);
    const AdapterState saved = whole->state();
    const auto resumed = *make_adapter("stad-safe", stream.source());
    ASSERT_TRUE(resumed->adapt(named(stream.batches[0], numbers(0, 9)))) << "which the state replaces";
    ASSERT_TRUE(resumed->restore(saved));
    EXPECT_EQ(resumed->state(), saved);
    for (std::size_t t = pause; t < stream.batches.size(); ++t)
      ASSERT_EQ(step(*resumed, t).probabilities, step(*whole, t).probabilities) << pause << " " << t;
    EXPECT_EQ(resumed->state(), whole->state());
  }
}

TEST(Observe, RefusesAStateWhoseMemoryOfRowsIsBroken) {
  const auto stream = random_stream(10, kLabelStreamShape);
  const auto adapter = *make_adapter("stad-safe", stream.source());
  ASSERT_TRUE(adapter->adapt(named(stream.batches[5], numbers(0, 30))));
  ASSERT_TRUE(adapter->observe(Integers{1, 2, 3, 4}, Integers{0, 1, 2, 3}));
  const AdapterState good = adapter->state();
  const auto refuses = [&](const char* name, auto change) {
    AdapterState bad = good;
    for (Tensor& tensor : bad.tensors)
      if (tensor.name == name) std::visit([&](auto& values) { change(values); }, tensor.values);
    return bad != good && !adapter->restore(bad);
  };
  const auto set = [](auto value) {
    return [=](auto& values) { values[0] = static_cast<std::decay_t<decltype(values[0])>>(value); };
  };
  EXPECT_TRUE(refuses("remembered.newest", set(512)));
  EXPECT_TRUE(refuses("remembered.newest", set(-1)));
  EXPECT_TRUE(refuses("remembered.source", set(4)));
  EXPECT_TRUE(refuses("remembered.labels", set(-2)));
  EXPECT_TRUE(refuses("remembered.responsibilities", set(1.5)));
  EXPECT_TRUE(refuses("remembered.heard", set(-1)));
  EXPECT_TRUE(refuses("remembered.rows", set(std::nan(""))));
  EXPECT_EQ(adapter->state(), good);
  EXPECT_FALSE(refuses("remembered.responsibilities", set(1.000001))) << "a few roundings above 1 are written";
}

TEST(Observe, AllLabelsOneBatchLateHelpWhereDriftIsStrong) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto drawn = *simulate({.drift = Drift::kProgressive, .steps = 40, .strength = 3, .seed = seed});
    EXPECT_GT(accuracy(drawn, drawn.source, 1), accuracy(drawn, drawn.source, 0) + 0.01) << seed;
  }
}

TEST(Observe, LabelsSayWhereClassesAreWhenTheSourceHasThemConfused) {
  // Two classes of the head are exchanged: without labels this cannot be detected.
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto drawn = *simulate({.drift = Drift::kNone, .steps = 30, .seed = seed});
    Matrix weight = drawn.source.weight();
    as_eigen(weight).row(0).swap(as_eigen(weight).row(1));
    std::vector<float> bias(drawn.source.bias().begin(), drawn.source.bias().end());
    std::swap(bias[0], bias[1]);
    const std::vector<float> mean(drawn.source.mean().begin(), drawn.source.mean().end());
    const auto confused = *SourceModel::create(weight, bias, mean);
    EXPECT_GT(accuracy(drawn, confused, 1), accuracy(drawn, confused, 0) + 0.1) << seed;
  }
}

TEST(Observe, LearnsFromLabelledRowsThatItHasNotSeen) {
  const auto stream = random_stream(11, kLabelStreamShape);
  const auto adapter = *make_adapter("stad-safe", stream.source());
  const Integers labels(30, 2);
  const auto observed = *adapter->observe(stream.batches[5], labels);
  EXPECT_EQ(observed.used, 30);
  std::vector<Index> directed(30);
  FloatRows unit(30, 12);
  unit_rows<float>(stream.batches[5], stream.source().mean(), FloatRowsMap(unit.data(), 30, 12), directed);
  FloatRows expected = FloatRows::Zero(4, 12);
  expected.row(2) = unit.colwise().sum();
  EXPECT_LT((sums_of(*adapter) - expected).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(Observe, RowsWithoutDirectionTeachNothing) {
  const auto stream = random_stream(12, kLabelStreamShape);
  const auto adapter = *make_adapter("stad-safe", stream.source());
  Matrix rows(2, 12);
  for (Index n = 0; n < 2; ++n) std::copy(stream.mean.begin(), stream.mean.end(), rows.row(n).begin());
  const AdapterState before = adapter->state();
  EXPECT_EQ(adapter->observe(rows, Integers{0, 1})->forgotten, 2);
  ASSERT_TRUE(adapter->adapt(named(rows, {1, 2})));
  EXPECT_EQ(adapter->observe(Integers{1, 2}, Integers{0, 1})->forgotten, 2);
  EXPECT_EQ(adapter->state(), before);
}

TEST(Observe, GivesTheSameBitsWhateverTheThreads) {
  const auto stream = random_stream(13, {.classes = 70, .dimension = 96, .batch_sizes = {200, 33, 200}});
  const auto answers = [&](int threads) {
    set_threads(threads);
    const auto adapter = *make_adapter("stad-safe", stream.source(), {{"unknown", "on"}});
    std::vector<Predictions> all;
    for (const Matrix& batch : stream.batches) {
      all.push_back(*adapter->adapt(named(batch, numbers(0, batch.rows()))));
      EXPECT_TRUE(adapter->observe(Integers{3, 4}, Integers{60, 7}));
      EXPECT_TRUE(adapter->observe(batch, Integers(static_cast<std::size_t>(batch.rows()), 5)));
    }
    set_threads(1);
    return all;
  };
  const auto alone = answers(1);
  const auto threaded = answers(3);
  for (std::size_t t = 0; t < alone.size(); ++t) {
    EXPECT_EQ(alone[t].probabilities, threaded[t].probabilities);
    EXPECT_EQ(alone[t].unknown, threaded[t].unknown);
  }
}

}  // namespace
}  // namespace stad::testing
