// Rows that are of none of the classes, as the adapter reports them.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include <stad/methods.hpp>
#include <stad/eval/pipeline.hpp>
#include <stad/eval/simulate.hpp>

namespace stad::safe {
namespace {

/// How often a row of an unknown class looks stranger than one of a known class, in the second half of a stream.
double area_under_curve(const std::vector<float>& unknown, const std::vector<std::int64_t>& labels) {
  double above = 0;
  double pairs = 0;
  for (std::size_t a = labels.size() / 2; a < labels.size(); ++a)
    for (std::size_t b = labels.size() / 2; b < labels.size(); ++b)
      if (labels[a] == kNoClass && labels[b] != kNoClass) {
        above += unknown[a] > unknown[b] ? 1 : unknown[a] == unknown[b] ? 0.5 : 0;
        pairs += 1;
      }
  return above / pairs;
}

RunReport run_on(const Simulation& drawn, const char* unknown) {
  return *run(**make_adapter("stad-safe", drawn.source, {{"unknown", unknown}}), drawn.stream, {});
}

TEST(SafeUnknown, ClassesLookStrangerThanKnownOnes) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const auto drawn =
        *simulate({.drift = Drift::kNone, .classes = 4, .noise = 0.5, .unknown_class = true, .seed = seed});
    const auto report = run_on(drawn, "on");
    EXPECT_GT(area_under_curve(report.predictions.unknown, drawn.stream.labels), 0.8) << seed;
  }
}

TEST(SafeUnknown, HardlyEverIsSaidOfKnownClasses) {
  for (const Drift drift : {Drift::kNone, Drift::kProgressive, Drift::kAbrupt, Drift::kRapid})
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      const auto drawn = *simulate({.drift = drift, .seed = seed});
      const auto off = run_on(drawn, "off");
      const auto on = run_on(drawn, "on");
      EXPECT_LT(static_cast<double>(on.unknown), 0.02 * static_cast<double>(on.samples)) << seed;
      EXPECT_GT(on.evaluation->pooled, off.evaluation->pooled - 0.005) << seed;
    }
}

TEST(SafeUnknown, IsAnsweredOnlyWhereItIsAsked) {
  const auto drawn = *simulate({.drift = Drift::kNone, .steps = 2});
  EXPECT_TRUE(run_on(drawn, "off").predictions.unknown.empty());
  const auto on = run_on(drawn, "on").predictions;
  ASSERT_EQ(on.unknown.size(), on.labels.size());
  for (const float unknown : on.unknown) EXPECT_TRUE(unknown >= 0 && unknown <= 1);
}

TEST(SafeUnknown, RowsTeachThePrototypesNothing) {
  // Of two streams that differ in rows far from every class the prototypes end up alike.
  const auto drawn = *simulate({.drift = Drift::kNone, .steps = 4, .classes = 2, .dimension = 8, .noise = 0.3});
  const auto learned = [&](const char* unknown, bool strange) {
    const auto adapter = *make_adapter("stad-safe", drawn.source, {{"unknown", unknown}});
    EXPECT_TRUE(run(*adapter, drawn.stream, {}));
    // Opposite to the sum of the classes' directions: as far from all of them as can be.
    Matrix far(20, 8);
    for (Index d = 0; d < 8; ++d) {
      float sum = 0;
      for (Index k = 0; k < 2; ++k) {
        double norm = 0;
        for (const float w : drawn.source.weight().row(k)) norm += w * w;
        sum += drawn.source.weight()(k, d) / static_cast<float>(std::sqrt(norm));
      }
      for (Index n = 0; n < 20; ++n) far(n, d) = (drawn.source.has_mean() ? drawn.source.mean()[d] : 0) - 10 * sum;
    }
    if (strange) {
      EXPECT_TRUE(adapter->adapt(far));
    }
    return adapter->prototypes();
  };
  const auto moved = [&](const char* unknown) {
    const Matrix with = learned(unknown, true);
    const Matrix without = learned(unknown, false);
    double most = 0;
    for (Index i = 0; i < with.size(); ++i) most = std::max(most, std::abs(double{with.data()[i]} - without.data()[i]));
    return most;
  };
  EXPECT_LT(moved("on"), 0.2 * moved("off"));
}

TEST(SafeUnknown, OfAStateFromBeforeTheOptionIsOff) {
  const auto drawn = *simulate({.drift = Drift::kNone, .steps = 2});
  const auto off = *make_adapter("stad-safe", drawn.source);
  ASSERT_TRUE(run(*off, drawn.stream, {}));
  AdapterState old = off->state();
  EXPECT_EQ(old.options.size(), 1U);
  old.options.clear();
  EXPECT_TRUE(off->restore(old));
  const auto on = *make_adapter("stad-safe", drawn.source, {{"unknown", "on"}});
  EXPECT_FALSE(on->restore(old));
  EXPECT_FALSE(on->restore(off->state()));
}

}  // namespace
}  // namespace stad::safe
