// Labels that come after their rows.

#include <limits>

#include <gtest/gtest.h>

#include <stad/methods.hpp>
#include <stad/threads.hpp>

#include "support/late_labels.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

const RandomStreamShape kLabelStreamShape{.classes = 4, .dimension = 12, .batch_sizes = {9, 1, 16, 7, 2, 30, 5, 5}};

TEST(Observe, IsRefusedByMethodsThatTakeNoLabels) {
  const auto stream = random_stream(1, kLabelStreamShape);
  for (const char* method : {"source", "t3a", "lame", "stad-gauss"}) {
    const auto adapter = *make_adapter(method, stream.source());
    const auto refused = adapter->observe(Integers{1}, Integers{0});
    ASSERT_FALSE(refused) << method;
    EXPECT_EQ(refused.error().message,
              std::string(method) + " takes no labels, stad-vmf and stad-safe with label_budget do");
    EXPECT_FALSE(adapter->observe(stream.batches[1], Integers{0}));
    EXPECT_TRUE(adapter->adapt(named(stream.batches[1], {5}))) << "ids do no harm";
  }
}

TEST(Observe, NamesWhatIsWrongAndChangesNothing) {
  const auto stream = random_stream(2, kLabelStreamShape);
  const auto adapter = *make_adapter("stad-vmf", stream.source());
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

TEST(Observe, CountsALabelOnce) {
  const auto stream = random_stream(6, kLabelStreamShape);
  const auto adapter = *make_adapter("stad-vmf", stream.source());
  ASSERT_TRUE(adapter->adapt(named(stream.batches[5], numbers(0, 30))));
  const Integers ids = numbers(10, 5);
  const Integers labels{3, 1, 0, 2, 1};
  ASSERT_TRUE(adapter->observe(ids, labels));
  const AdapterState once = adapter->state();
  ASSERT_TRUE(adapter->observe(ids, labels));
  EXPECT_EQ(adapter->state(), once);
}

TEST(Observe, GivesTheSameBitsWhateverTheThreads) {
  const auto stream = random_stream(13, {.classes = 70, .dimension = 96, .batch_sizes = {200, 33, 200}});
  const auto answers = [&](int threads) {
    set_threads(threads);
    const auto adapter = *make_adapter("stad-vmf", stream.source());
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
  for (std::size_t t = 0; t < alone.size(); ++t) EXPECT_EQ(alone[t].probabilities, threaded[t].probabilities);
}

}  // namespace
}  // namespace stad::testing
