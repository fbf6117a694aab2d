// In the steady state methods allocate no memory.

#include <gtest/gtest.h>

#include <stad/methods.hpp>
#include <stad/threads.hpp>

#include "allocation/counted_allocations.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

struct Case {
  const char* name;
  const char* method;
  OptionValues options;
  RandomStreamShape shape;

  friend void PrintTo(const Case& tested, std::ostream* out) { *out << tested.name; }
};

RandomStreamShape batches_of(Index rows, Index dimension, Index classes) {
  return {.classes = classes, .dimension = dimension, .batch_sizes = std::vector<Index>(8, rows)};
}

std::vector<Case> cases() {
  const auto wide = batches_of(64, 512, 10);
  return {
      {"Source", "source", {}, wide},
      {"SourceOfManyClasses", "source", {}, batches_of(32, 96, 700)},
      {"T3a", "t3a", {{"supports", "5"}}, wide},
      {"T3aAll", "t3a", {{"supports", "all"}}, wide},
      {"Lame", "lame", {}, wide},
      {"LameOfLargeBatches", "lame", {{"neighbours", "50"}}, batches_of(400, 64, 5)},
      {"Gauss", "stad-gauss", {}, batches_of(64, 32, 4)},
      {"GaussOfManySamples", "stad-gauss", {}, batches_of(600, 32, 2)},
      {"GaussOfManyDimensions", "stad-gauss", {{"init", "previous"}}, batches_of(30, 140, 2)},
      {"GaussLikelihood", "stad-gauss", {{"score", "likelihood"}, {"window", "0"}}, batches_of(64, 48, 4)},
      {"GaussIdentity", "stad-gauss", {{"learn_transition", "off"}, {"score", "unit"}}, batches_of(64, 48, 4)},
      {"GaussStatic", "stad-gauss", {{"dynamics", "off"}}, wide},
      {"Vmf", "stad-vmf", {}, wide},
      {"VmfLearned", "stad-vmf", {{"init", "previous"}, {"learn_kappa", "class"}}, wide},
      {"VmfStatic", "stad-vmf", {{"dynamics", "off"}}, wide},
      {"Safe", "stad-safe", {}, wide},
      {"Recentre", "normalise", {}, wide},
      {"Prior", "prior", {{"refresh", "1"}}, wide},
      {"SafeOfManyClasses", "stad-safe", {}, batches_of(32, 96, 300)},
      {"SafeOfOneSample", "stad-safe", {}, batches_of(1, 512, 10)},
      {"VmfOfOneSample", "stad-vmf", {{"kappa_trans", "1000"}}, batches_of(1, 512, 100)},
  };
}

/// Allocations of one pass over the stream.
std::size_t allocations_of_a_round(const RandomStream& stream, Adapter& method, Predictions& answer) {
  const std::size_t before = allocations();
  bool well = true;
  for (const Matrix& batch : stream.batches) well &= method.adapt(batch, answer).ok();
  const std::size_t during = allocations() - before;
  EXPECT_TRUE(well);
  return during;
}

class Allocation : public ::testing::TestWithParam<Case> {
 protected:
  void TearDown() override { set_threads(1); }
};

TEST_P(Allocation, IsOverOnceTheWindowIsFull) {
  const auto stream = random_stream(1, GetParam().shape);
  const auto method = *make_adapter(GetParam().method, stream.source(), GetParam().options);
  Predictions answer;
  allocations_of_a_round(stream, *method, answer);
  EXPECT_EQ(allocations_of_a_round(stream, *method, answer), 0U);
}

TEST_P(Allocation, IsOverForEveryThread) {
  // The scratch memory of a thread grows with its first item, which may be late on a busy machine.
  constexpr int kMostRounds = 20;
  const auto stream = random_stream(2, GetParam().shape);
  const auto method = *make_adapter(GetParam().method, stream.source(), GetParam().options);
  Predictions answer;
  set_threads(2);
  allocations_of_a_round(stream, *method, answer);
  int rounds = 1;
  while (allocations_of_a_round(stream, *method, answer) > 0 && rounds < kMostRounds) ++rounds;
  EXPECT_LT(rounds, kMostRounds);
}

/// One pass over the stream; labels follow right after their batch, by ids and once more with features.
std::size_t allocations_of_a_labelled_round(const RandomStream& stream, Adapter& method, Predictions& answer) {
  std::vector<std::int64_t> ids(static_cast<std::size_t>(stream.batches[0].rows()));
  std::vector<std::int64_t> labels(ids.size());
  for (std::size_t n = 0; n < ids.size(); ++n) ids[n] = static_cast<std::int64_t>(n), labels[n] = ids[n] % 10;
  const std::size_t before = allocations();
  bool well = true;
  for (const Matrix& batch : stream.batches) {
    Batch named(batch);
    named.ids = ids;
    well &= method.adapt(named, answer).ok();
    well &= method.observe(ids, labels).ok();
    well &= method.observe(named, labels).ok();
  }
  const std::size_t during = allocations() - before;
  EXPECT_TRUE(well);
  return during;
}

TEST(LateLabels, AskForNoMemoryInTheSteadyState) {
  const auto stream = random_stream(4, batches_of(64, 128, 10));
  const auto method = *make_adapter("stad-vmf", stream.source());
  Predictions answer;
  allocations_of_a_labelled_round(stream, *method, answer);
  EXPECT_EQ(allocations_of_a_labelled_round(stream, *method, answer), 0U);
}

TEST(Memory, OfStadVmfStaysWithinItsBound) {
  if (live_bytes() == 0) GTEST_SKIP() << "a sanitizer keeps the books on memory here";
  // mu_0, the past and the directions of s - 1 steps; rows of the window and of the next batch; cosines.
  for (const char* kappa : {"100", "1000"})  // at 100 every class moves in every batch, at 1000 most are compressed
    for (const auto& shape : {batches_of(1, 512, 300), batches_of(64, 256, 100), batches_of(400, 32, 2)}) {
      const auto stream = random_stream(3, shape);
      const auto source = stream.source();
      const auto k = static_cast<double>(shape.classes);
      const auto d = static_cast<double>(shape.dimension);
      const auto n = static_cast<double>(shape.batch_sizes[0]);
      Predictions answer;
      const auto run = [&](Adapter& method) {
        for (int round = 0; round < 4; ++round) allocations_of_a_round(stream, method, answer);
      };
      const auto first = *make_adapter("stad-vmf", source, {{"kappa_trans", kappa}});
      run(*first);  // grows the scratch memory that all adapters share
      const std::size_t before = live_bytes();
      const auto second = *make_adapter("stad-vmf", source, {{"kappa_trans", kappa}});
      run(*second);
      const auto floats = static_cast<double>(live_bytes() - before) / sizeof(float);
      const double numbers_of_a_class = 100;  // lengths, proportions, headers: independent of D and n
      EXPECT_LE(floats, 4 * k * d + 8 * n * d + 16 * n * k + numbers_of_a_class * k + 1000) << kappa << " " << n;
    }
}

TEST(CountedAllocations, SeeNew) {
  const std::size_t before = allocations();
  const auto made = std::make_unique<std::vector<int>>(100);
  EXPECT_EQ(allocations() - before, 2U) << made->size();
}

INSTANTIATE_TEST_SUITE_P(Methods, Allocation, ::testing::ValuesIn(cases()),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace stad::testing
