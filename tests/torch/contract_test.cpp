// The contract of every method that adapts a network.

#include <limits>

#include <gtest/gtest.h>

#include "torch/methods.hpp"
#include "torch/oracle_adapter.hpp"
#include "torch/tiny_nets.hpp"

namespace stad::testing {
namespace {

using namespace backbone;

struct NetworkCase {
  std::string name;
  std::string method;
  OptionValues options;
  std::string (*net)() = &tiny_cnn;

  friend void PrintTo(const NetworkCase& tested, std::ostream* out) { *out << tested.name; }
};

const NetworkCase kCases[] = {
    {"Source", "source", {}},
    {"T3a", "t3a", {}},
    {"StadVmf", "stad-vmf", {{"init", "previous"}}},
    {"Bn", "bn", {}},
    {"BnMoving", "bn", {{"momentum", "0.3"}, {"source_share", "0.2"}}},
    {"Tent", "tent", {}},
    {"TentLayerNorm", "tent", {}, &layer_norm_net},
    {"TentGroupNorm", "tent", {}, &group_norm_net},
    {"Shot", "shot", {}},
    {"ShotLayerNorm", "shot", {}, &layer_norm_net},
    {"Sar", "sar", {{"reliable", "1"}}},
    {"SarGroupNorm", "sar", {{"reliable", "1"}, {"reset_below", "0"}}, &group_norm_net},
    {"Cotta", "cotta", {{"augmentations", "3"}, {"confidence", "1"}}},
    {"Rotta", "rotta", {{"memory", "6"}, {"update_every", "4"}}},
    {"RottaLayerNorm", "rotta", {{"memory", "6"}, {"update_every", "4"}}, &layer_norm_net},
    {"Cmf", "cmf", {}},
    {"StadVmfBn", "stad-vmf+bn", {}},
    {"StadGaussBn", "stad-gauss+bn", {}},
    {"Oracle", "oracle", {{"batch_size", "3"}}},
};

AdapterPointer make_oracle(const SourceNetwork& source_network, const OptionValues& options) {
  FeatureStream labelled = FeatureStream::from(random_pixels(99, 12));
  for (Index i = 0; i < 12; ++i) {
    labelled.labels.push_back(i % kTinyClasses);
    labelled.time.push_back(static_cast<double>(i / 3));
  }
  return std::make_unique<OracleAdapter>(source_network, *parse_options<OracleOptions>(options), labelled);
}

class NetworkContract : public ::testing::TestWithParam<NetworkCase> {
 protected:
  AdapterPointer adapter() const {
    const auto& [name, method, options, net] = GetParam();
    if (method == "oracle") return make_oracle(source_network_of(net()), options);
    auto made = make_network_adapter(method, source_network_of(net()), options);
    EXPECT_TRUE(made) << made.error().message;
    return *std::move(made);
  }

  static std::vector<Matrix> batches() {
    std::vector<Matrix> list;
    for (const Index rows : {9, 1, 5, 12, 2}) list.push_back(random_pixels(static_cast<std::uint64_t>(rows), rows));
    return list;
  }
};

Result<Predictions> step(Adapter& adapter, const Matrix& batch, std::size_t time) {
  return adapter.adapt(Batch(batch, static_cast<double>(time)));
}

TEST_P(NetworkContract, ReturnsProbabilities) {
  const auto method = adapter();
  EXPECT_EQ(method->method(), GetParam().method);
  EXPECT_EQ(method->input_dimension(), kTinyImages.size());
  std::size_t t = 0;
  for (const Matrix& batch : batches()) {
    const auto answer = step(*method, batch, t++);
    ASSERT_TRUE(answer) << answer.error().message;
    for (Index n = 0; n < batch.rows(); ++n) {
      double sum = 0;
      for (const float p : answer->probabilities.row(n)) sum += p;
      EXPECT_NEAR(sum, 1, 1e-5);
    }
  }
}

TEST_P(NetworkContract, RestoreContinuesBitForBit) {
  const auto list = batches();
  for (std::size_t pause = 0; pause < list.size(); ++pause) {
    const auto whole = adapter();
    for (std::size_t t = 0; t < pause; ++t) ASSERT_TRUE(step(*whole, list[t], t));
    const AdapterState saved = whole->state();
    const auto resumed = adapter();
    const auto restored = resumed->restore(saved);
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_EQ(resumed->state(), saved);
    for (std::size_t t = pause; t < list.size(); ++t)
      ASSERT_EQ(step(*resumed, list[t], t)->probabilities, step(*whole, list[t], t)->probabilities)
          << pause << " " << t;
    EXPECT_EQ(resumed->state(), whole->state());
  }
}

TEST_P(NetworkContract, TimesInAnyUnitCanBeSavedAndRestored) {
  const auto method = adapter();
  for (const double time : {1.8e15, 1.8e18})
    ASSERT_TRUE(method->adapt(Batch(batches()[0].view(), time))) << time;  // micro- and nanoseconds since 1970
  const auto resumed = adapter();
  const auto restored = resumed->restore(method->state());
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(resumed->state(), method->state());
}

TEST_P(NetworkContract, PredictingDoesNotChangeTheState) {
  const auto method = adapter();
  ASSERT_TRUE(step(*method, batches()[0], 0));
  const AdapterState before = method->state();
  const auto first = *method->predict(batches()[3]);
  EXPECT_EQ(method->state(), before);
  EXPECT_EQ(method->predict(batches()[3])->probabilities, first.probabilities);
}

TEST_P(NetworkContract, AnInvalidBatchIsRejectedAndChangesNothing) {
  const auto method = adapter();
  ASSERT_TRUE(step(*method, batches()[0], 0));
  const AdapterState before = method->state();
  Matrix broken = batches()[2];
  broken(1, 1) = std::numeric_limits<float>::quiet_NaN();
  ASSERT_FALSE(step(*method, broken, 1));
  EXPECT_EQ(method->state(), before);
}

TEST_P(NetworkContract, ADamagedStateIsRejectedAndChangesNothing) {
  const auto method = adapter();
  ASSERT_TRUE(step(*method, batches()[0], 0));
  const AdapterState before = method->state();
  AdapterState damaged = before;
  if (damaged.tensors.empty()) return;
  damaged.tensors.pop_back();
  EXPECT_FALSE(method->restore(damaged));
  damaged = before;
  damaged.tensors.front().values = std::vector<float>{std::numeric_limits<float>::quiet_NaN()};
  damaged.tensors.front().shape = {1};
  EXPECT_FALSE(method->restore(damaged));
  EXPECT_EQ(method->state(), before);
}

INSTANTIATE_TEST_SUITE_P(Methods, NetworkContract, ::testing::ValuesIn(kCases),
                         [](const auto& tested) { return tested.param.name; });

/// Pixels whose cubes overflow float32.
Matrix beyond_float() {
  Matrix pixels = random_pixels(3, 4);
  for (Index n = 0; n < pixels.rows(); ++n)
    for (float& value : pixels.row(n)) value *= 1e15F;
  return pixels;
}

TEST(NetworkMethods, NameTheNormLayersThatTheNetworkLacks) {
  const auto rejected = [](const char* method, const std::string& net) {
    const auto made = make_network_adapter(method, source_network_of(net), {});
    return made ? std::string() : made.error().message;
  };
  EXPECT_EQ(rejected("bn", layer_norm_net()),
            "bn: needs batch norm layers, the network has 0 batch, 1 layer and 0 group norm layers; a model that was "
            "frozen (torch.jit.freeze) has batch norm folded away");
  EXPECT_NE(rejected("stad-vmf+bn", group_norm_net()).find("stad-vmf+bn: needs batch norm layers"), std::string::npos);
  EXPECT_NE(rejected("nothing", tiny_cnn()).find("unknown method nothing"), std::string::npos);
}

TEST(NetworkMethods, ALossThatIsNotFiniteStopsTheStepWithItsNumberAndTheMethodsName) {
  for (const char* method : {"tent", "shot", "sar", "cotta", "cmf", "stad-vmf"}) {
    auto adapter = *make_network_adapter(method, source_network_of(cubing_net()), {});
    ASSERT_TRUE(adapter->adapt(random_pixels(2, 4)));
    const AdapterState before = adapter->state();
    const auto answer = adapter->adapt(beyond_float());
    ASSERT_FALSE(answer) << method;
    EXPECT_EQ(answer.error().kind, ErrorKind::kFailed);
    EXPECT_TRUE(answer.error().message.starts_with(std::string(method) + ": ")) << answer.error().message;
    EXPECT_EQ(adapter->state(), before) << method;
  }
  auto tent = *make_network_adapter("tent", source_network_of(cubing_net()), {});
  ASSERT_TRUE(tent->adapt(random_pixels(2, 4)));
  EXPECT_EQ(tent->adapt(beyond_float()).error().message,
            "tent: step 2: the loss is nan, must be finite; the state before it is kept");
}

}  // namespace
}  // namespace stad::testing
