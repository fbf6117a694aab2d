// In the steady state a method answers batch after batch without asking for memory.

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
      // Not there yet.
      {"Vmf", "stad-vmf", {}, wide},
      {"VmfLearned", "stad-vmf", {{"init", "previous"}, {"learn_kappa", "class"}}, wide},
      {"VmfStatic", "stad-vmf", {{"dynamics", "off"}}, wide},
  };
}

class Allocation : public ::testing::TestWithParam<Case> {
 protected:
  void TearDown() override { set_threads(1); }

  /// How much one time through the stream allocates.
  static std::size_t allocations_of_a_round(const RandomStream& stream, Adapter& method, Predictions& answer) {
    const std::size_t before = allocations();
    bool well = true;
    for (const Matrix& batch : stream.batches) well &= method.adapt(batch, answer).ok();
    const std::size_t during = allocations() - before;
    EXPECT_TRUE(well);
    return during;
  }
};

TEST_P(Allocation, IsOverOnceTheWindowIsFull) {
  const auto stream = random_stream(1, GetParam().shape);
  const auto method = *make_adapter(GetParam().method, stream.source(), GetParam().options);
  Predictions answer;
  allocations_of_a_round(stream, *method, answer);
  EXPECT_EQ(allocations_of_a_round(stream, *method, answer), 0U);
}

TEST_P(Allocation, IsOverForEveryThread) {
  // A thread's working memory grows when it first takes a piece, and on a busy machine that may be late.
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

TEST(CountedAllocations, SeeNew) {
  const std::size_t before = allocations();
  const auto made = std::make_unique<std::vector<int>>(100);
  EXPECT_EQ(allocations() - before, 2U) << made->size();
}

INSTANTIATE_TEST_SUITE_P(Methods, Allocation, ::testing::ValuesIn(cases()),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace stad::testing
