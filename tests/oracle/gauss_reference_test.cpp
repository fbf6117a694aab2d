#include <gtest/gtest.h>

#include <stad/methods.hpp>

#include "reference/gauss.hpp"
#include "support/agreement.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

struct Case {
  const char* name;
  StadGaussOptions options;

  friend void PrintTo(const Case& tested, std::ostream* out) { *out << tested.name; }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const auto add = [&](const char* name, auto change) {
    StadGaussOptions options;
    change(options);
    all.push_back({name, options});
  };
  add("Defaults", [](auto&) {});
  add("InitPrevious", [](auto& o) { o.init = Init::kPrevious; });
  add("NarrowWindow", [](auto& o) { o.init = Init::kPrevious, o.window = 1; });
  add("NewestAlone", [](auto& o) { o.window = 0; });
  add("IdentityTransition", [](auto& o) { o.init = Init::kPrevious, o.learn_transition = false; });
  add("SmallInitialVariance", [](auto& o) { o.init = Init::kPrevious, o.initial_variance = 0.01; });
  add("NoDynamics", [](auto& o) { o.dynamics = false; });
  add("Centred", [](auto& o) { o.init = Init::kPrevious, o.center = Center::kSource; });
  add("TwoSweeps", [](auto& o) { o.sweeps = 2; });
  add("PredictBefore", [](auto& o) { o.predict = Predict::kBefore; });
  add("UnitScore", [](auto& o) { o.score = GaussScore::kUnit; });
  add("LikelihoodScore", [](auto& o) { o.score = GaussScore::kLikelihood; });
  return all;
}

class GaussReference : public ::testing::TestWithParam<Case> {};

void expect_agreement(const StadGaussOptions& options, const RandomStreamShape& shape, std::uint64_t seed) {
  const RandomStream stream = random_stream(seed, shape);
  auto adapter = *make_adapter(stream.source(), options);
  reference::Gauss reference(reference::head_of(stream.source()), options);
  for (std::size_t t = 0; t < stream.batches.size(); ++t) {
    const auto found = adapter->adapt(stream.batches[t]);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->restarted, 0);
    ASSERT_TRUE(agrees(*found, reference.adapt(as_double(stream.batches[t])))) << "seed " << seed << " batch " << t;
  }
}

TEST_P(GaussReference, AgreesInSmallDimension) {
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    expect_agreement(GetParam().options, {.classes = 2, .dimension = 6, .batch_sizes = std::vector<Index>(7, 20)},
                     seed);
}

TEST_P(GaussReference, AgreesWithRaggedBatches) {
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    expect_agreement(GetParam().options, {.classes = 3, .dimension = 16, .batch_sizes = {24, 24, 1, 24, 24, 3}}, seed);
}

TEST_P(GaussReference, AgreesWithMoreDimensionsThanSamples) {
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    expect_agreement(GetParam().options, {.classes = 4, .dimension = 32, .batch_sizes = std::vector<Index>(6, 16)},
                     seed);
}

INSTANTIATE_TEST_SUITE_P(Options, GaussReference, ::testing::ValuesIn(cases()),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace stad::testing
