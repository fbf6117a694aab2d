// The reference implementation of the guarded base against the safe_* cases.

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reference/guarded_base.hpp"
#include "support/golden_case.hpp"
#include "support/shared_files.hpp"

namespace stad::testing {
namespace {

nlohmann::json safe_cases() {
  std::ifstream file(shared_path("golden/safe_cases.json"));
  return nlohmann::json::parse(file);
}

reference::Card card_of(const std::string& path) {
  reference::Card card;
  card.temperature = golden_scalar(path, "card_temperature").value_or(1);
  card.frequencies = golden_array(path, "card_frequencies");
  card.means = golden_array(path, "card_means");
  return card;
}

void expect_agrees(const std::string& path) {
  const reference::Head head{golden_array(path, "weight"), golden_array(path, "bias"), golden_array(path, "mean")};
  reference::GuardedBase base(head, card_of(path));
  const auto features = golden_array(path, "features"), time = golden_array(path, "time");
  const auto sizes = golden_array(path, "batch_sizes"), signals = golden_array(path, "signals");
  const auto expected = golden_array(path, "expected_probabilities"), chain = golden_array(path, "expected_chain");
  constexpr double kStored = 1e-7;  // expected probabilities are stored in float32
  Index first = 0;
  for (Index b = 0; b < sizes.rows(); ++b) {
    const auto count = static_cast<Index>(sizes(b, 0));
    std::vector<double> stamps;
    for (Index n = 0; time.size() > 0 && n < count; ++n) stamps.push_back(time(first + n, 0));
    const auto answer = base.adapt(features.middleRows(first, count), stamps);
    ASSERT_LE((answer.base - expected.middleRows(first, count)).cwiseAbs().maxCoeff(), kStored) << "batch " << b;
    ASSERT_LE((answer.chain - chain.middleRows(first, count)).cwiseAbs().maxCoeff(), kStored) << "batch " << b;
    ASSERT_NEAR(answer.signals.zeta, signals(b, 0), 1e-9) << "batch " << b;
    ASSERT_NEAR(answer.signals.excess, signals(b, 1), 1e-9) << "batch " << b;
    ASSERT_NEAR(answer.signals.ra, signals(b, 2), 1e-9) << "batch " << b;
    ASSERT_EQ(answer.signals.open, signals(b, 3) != 0) << "batch " << b;
    first += count;
  }
}

TEST(GuardedBaseReference, AgreesWithTheGoldenCases) {
  STAD_NEEDS_SHARED("golden/safe_cases.json");
  const auto cases = safe_cases();
  ASSERT_GE(cases["cases"].size(), 10U);
  for (const auto& entry : cases["cases"]) {
    SCOPED_TRACE(entry["name"]);
    expect_agrees(shared_path("golden/" + entry["name"].get<std::string>() + ".npz"));
  }
}

TEST(GuardedBaseReference, HasTheGoldenPermutationMoments) {
  STAD_NEEDS_SHARED("golden/safe_cases.json");
  for (const auto& entry : safe_cases()["adjacency"]) {
    const auto moments = reference::adjacency_moments(entry["labels"].get<std::vector<Index>>());
    EXPECT_EQ(moments.observed, entry["observed"].get<double>());
    EXPECT_NEAR(moments.mean, entry["mean"].get<double>(), 1e-9);
    EXPECT_NEAR(moments.variance, entry["variance"].get<double>(), 1e-9);
    EXPECT_EQ(moments.pairs, entry["pairs"].get<double>());
  }
}

}  // namespace
}  // namespace stad::testing
