// Answers and states do not depend on where memory lies.

#include <gtest/gtest.h>

#include <stad/methods.hpp>

#include "alignment/shifted_allocations.hpp"
#include "support/method_cases.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

/// The answers to a stream whose rows are in runs of classes, so that label chains answer as well, and the state after.
struct Outcome {
  std::vector<Matrix> probabilities;
  AdapterState state;
};

std::vector<Matrix> sorted_batches(const RandomStream& stream) {
  std::vector<Matrix> batches = stream.batches;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    std::vector<Index> order(static_cast<std::size_t>(batches[b].rows()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
    std::ranges::stable_sort(order, {}, [&](Index n) { return stream.labels[b][static_cast<std::size_t>(n)]; });
    for (std::size_t i = 0; i < order.size(); ++i)
      std::ranges::copy(stream.batches[b].row(order[i]), batches[b].row(static_cast<Index>(i)).begin());
  }
  return batches;
}

/// With logits ten times as large, as trained heads have them.
RandomStream with_sharp_head(RandomStream stream) {
  for (Index i = 0; i < stream.weight.size(); ++i) stream.weight.data()[i] *= 10;
  return stream;
}

Outcome outcome_of(const MethodCase& tested, std::size_t shift, bool& chains) {
  shift_allocations(shift);
  const auto stream = with_sharp_head(random_stream(
      1, {.classes = 5, .dimension = 37, .batch_sizes = std::vector<Index>(24, 51), .noise = 0.8, .drift = 0}));
  const auto adapter = *make_adapter(tested.method, stream.source(), tested.options);
  adapter->watch(HealthLevel::kFull);
  Outcome outcome;
  for (const Matrix& batch : sorted_batches(stream)) {
    outcome.probabilities.push_back(adapter->adapt(batch)->probabilities);
    chains |= adapter->guard() && adapter->guard()->chains;
  }
  outcome.state = adapter->state();
  shift_allocations(0);
  return outcome;
}

class Alignment : public ::testing::TestWithParam<MethodCase> {};

TEST_P(Alignment, OfMemoryChangesNoBit) {
  bool chains = false;
  const Outcome expected = outcome_of(GetParam(), 0, chains);
  for (const std::size_t shift : {16, 32, 48}) {
    const Outcome found = outcome_of(GetParam(), shift, chains);
    EXPECT_EQ(found.probabilities, expected.probabilities) << shift;
    EXPECT_EQ(found.state, expected.state) << shift;
  }
  if (GetParam().method == "stad-safe") {
    EXPECT_TRUE(chains) << "label chains answer part of the stream";
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Alignment, ::testing::ValuesIn(method_cases()),
                         [](const auto& param) { return param.param.name; });

TEST(ShiftedAllocations, LieWhereTheyAreAsked) {
  for (const std::size_t shift : {0, 16, 32, 48}) {
    shift_allocations(shift);
    const std::vector<char> block(100);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data()) % 64, shift);
    shift_allocations(0);
  }
}

}  // namespace
}  // namespace stad::testing
