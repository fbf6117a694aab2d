#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <stad/methods.hpp>

#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

/// Every class for a while, then two of them alone, then every class again, so that idle classes are compressed and
/// expanded.
std::vector<Matrix> visits(const Matrix& weight) {
  Random random(5);
  std::vector<Matrix> batches;
  for (int t = 0; t < 36; ++t) {
    Matrix batch(3, weight.cols());
    for (Index n = 0; n < batch.rows(); ++n) {
      const auto k =
          static_cast<Index>(random.below(t < 10 || t >= 28 ? static_cast<std::uint64_t>(weight.rows()) : 2));
      for (Index d = 0; d < weight.cols(); ++d)
        batch(n, d) = weight(k, d) + static_cast<float>(0.1 * random.normal() / std::sqrt(weight.cols()));
    }
    batches.push_back(std::move(batch));
  }
  return batches;
}

std::vector<std::int64_t> storage_of(const AdapterState& state) {
  return std::get<std::vector<std::int64_t>>(state.find("rest")->values);
}

class StadVmfAtRest : public ::testing::TestWithParam<const char*> {};

TEST_P(StadVmfAtRest, ContinuesBitForBitAfterARestore) {
  const auto stream = random_stream(8, {.classes = 9, .dimension = 200, .batch_sizes = {1}});
  const OptionValues options{{"kappa_trans", "1000"}, {"init", GetParam()}};
  const auto batches = visits(stream.weight);
  const auto whole = *make_adapter("stad-vmf", stream.source(), options);
  std::vector<AdapterState> states;
  std::vector<Predictions> answers;
  Index in_plane = 0;
  for (const Matrix& batch : batches) {
    states.push_back(whole->state());
    answers.push_back(*whole->adapt(batch));
    const auto rest = storage_of(whole->state());
    in_plane += std::count(rest.begin(), rest.end(), 1);
  }
  EXPECT_GT(in_plane, 10) << "the stream should let classes be compressed";
  for (std::size_t pause = 0; pause < batches.size(); pause += 3) {
    const auto resumed = *make_adapter("stad-vmf", stream.source(), options);
    ASSERT_TRUE(resumed->restore(states[pause]));
    for (std::size_t t = pause; t < batches.size(); ++t)
      ASSERT_EQ(resumed->adapt(batches[t])->probabilities, answers[t].probabilities) << pause << " " << t;
    EXPECT_EQ(resumed->prototypes(), whole->prototypes());
  }
}

INSTANTIATE_TEST_SUITE_P(Init, StadVmfAtRest, ::testing::Values("source", "previous"),
                         [](const auto& param) { return std::string(param.param); });

TEST(StadVmfState, ThatClaimsAPlaneWithoutAPastIsRefused) {
  const auto stream = random_stream(9, {.classes = 3, .dimension = 8, .batch_sizes = {4}});
  const auto adapter = *make_adapter("stad-vmf", stream.source(), OptionValues{});
  ASSERT_TRUE(adapter->adapt(stream.batches[0]));
  AdapterState state = adapter->state();
  for (Tensor& tensor : state.tensors)
    if (tensor.name == "rest") tensor.values = std::vector<std::int64_t>{1, 1, 1};
  const auto restored = adapter->restore(state);
  ASSERT_FALSE(restored);
  EXPECT_NE(restored.error().message.find("needs a full window"), std::string::npos) << restored.error().message;
}

}  // namespace
}  // namespace stad::testing
