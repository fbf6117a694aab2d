#include <gtest/gtest.h>

#include <stad/methods.hpp>

#include "reference/vmf.hpp"
#include "support/agreement.hpp"
#include "support/random_stream.hpp"

namespace stad::testing {
namespace {

struct VmfCase {
  const char* name;
  StadVmfOptions options;

  friend void PrintTo(const VmfCase& tested, std::ostream* out) { *out << tested.name; }
};

std::vector<VmfCase> vmf_cases() {
  std::vector<VmfCase> all;
  const auto add = [&](const char* name, auto change) {
    StadVmfOptions options;
    options.probabilities = VmfProbabilities::kPaper;
    change(options);
    all.push_back({name, options});
  };
  add("Defaults", [](auto&) {});
  add("InitPrevious", [](auto& o) { o.init = Init::kPrevious; });
  add("NarrowWindow", [](auto& o) { o.init = Init::kPrevious, o.kappa_trans = 1000, o.window = 1; });
  add("HighKappas", [](auto& o) { o.kappa_trans = o.kappa_ems = 1000; });
  add("LearnGlobalKappa", [](auto& o) { o.init = Init::kPrevious, o.learn_kappa = LearnKappa::kGlobal; });
  add("LearnClassKappa", [](auto& o) { o.init = Init::kPrevious, o.learn_kappa = LearnKappa::kClass; });
  add("LearnClassKappaFromSource", [](auto& o) { o.learn_kappa = LearnKappa::kClass; });
  add("Centred", [](auto& o) { o.init = Init::kPrevious, o.center = Center::kSource; });
  add("NoDynamics", [](auto& o) { o.dynamics = false; });
  add("NoDynamicsLearnClassKappa", [](auto& o) { o.dynamics = false, o.learn_kappa = LearnKappa::kClass; });
  add("ThreeSweeps", [](auto& o) { o.init = Init::kPrevious, o.sweeps = 3; });
  add("WideWindow", [](auto& o) { o.init = Init::kPrevious, o.window = 7, o.kappa_trans = 1000; });
  add("NewestAlone", [](auto& o) { o.window = 0; });
  add("PredictBefore", [](auto& o) { o.predict = Predict::kBefore; });
  add("Scaled", [](auto& o) { o.probabilities = VmfProbabilities::kScaled; });
  add("PosteriorWithClassKappa",
      [](auto& o) { o.probabilities = VmfProbabilities::kPosterior, o.learn_kappa = LearnKappa::kClass; });
  return all;
}

class VmfReference : public ::testing::TestWithParam<VmfCase> {};

void expect_agreement(const StadVmfOptions& options, const RandomStreamShape& shape, std::uint64_t seed) {
  const RandomStream stream = random_stream(seed, shape);
  auto adapter = *make_adapter(stream.source(), options);
  reference::Vmf reference(reference::head_of(stream.source()), options);
  for (std::size_t t = 0; t < stream.batches.size(); ++t) {
    const auto found = adapter->adapt(stream.batches[t]);
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_TRUE(agrees(*found, reference.adapt(as_double(stream.batches[t])))) << "seed " << seed << " batch " << t;
  }
}

TEST_P(VmfReference, AgreesInSmallDimension) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    expect_agreement(GetParam().options, {.classes = 3, .dimension = 8, .batch_sizes = std::vector<Index>(9, 7)}, seed);
}

TEST_P(VmfReference, AgreesWithRaggedBatches) {
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    expect_agreement(GetParam().options, {.classes = 10, .dimension = 64, .batch_sizes = {32, 32, 1, 32, 2, 32, 5}},
                     seed);
}

TEST_P(VmfReference, AgreesWithBatchesOfOne) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    expect_agreement(GetParam().options, {.classes = 4, .dimension = 32, .batch_sizes = std::vector<Index>(14, 1)},
                     seed);
}

TEST_P(VmfReference, AgreesInHighDimension) {
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    expect_agreement(GetParam().options, {.classes = 20, .dimension = 1024, .batch_sizes = std::vector<Index>(5, 24)},
                     seed);
}

INSTANTIATE_TEST_SUITE_P(Options, VmfReference, ::testing::ValuesIn(vmf_cases()),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace stad::testing
