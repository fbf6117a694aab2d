#include "safe/verdicts.hpp"

#include <gtest/gtest.h>

namespace stad::safe {
namespace {

/// The adapted classifier says 1, the others say 0.
constexpr Opinions kAdaptedDiffers{.source = 0, .mixture = 0, .adapted = 1};
/// The source says 0, the others say 1.
constexpr Opinions kSourceDiffers{.source = 0, .mixture = 1, .adapted = 1};

Verdicts after(const Opinions& opinions, int ones, int zeros) {
  Verdicts verdicts;
  for (int i = 0; i < ones; ++i) verdicts.count(opinions, 1);
  for (int i = 0; i < zeros; ++i) verdicts.count(opinions, 0);
  return verdicts;
}

TEST(SafeVerdicts, WithoutLabelsChangeNothing) {
  for (const double trust : {0.0, 1e-9, 0.3, 0.5, 1.0}) EXPECT_EQ(Verdicts().informed(trust), trust);
}

TEST(SafeVerdicts, WhereAllAreRightOrWrongSayNothing) {
  const Opinions alike{.source = 2, .mixture = 2, .adapted = 2};
  EXPECT_EQ(after(alike, 7, 9).informed(0.3), 0.3);
  EXPECT_EQ(after({.source = 2, .mixture = 3, .adapted = 4}, 7, 9).informed(0.3), 0.3) << "all wrong";
}

TEST(SafeVerdicts, EachDoublesOrHalvesTheOdds) {
  const auto odds = [](int lead) {
    const double trust = after(kAdaptedDiffers, lead, 0).informed(0);
    return trust / (1 - trust);
  };
  // The source, which agrees with the mixture, keeps its thousandth beside it.
  for (int lead = 1; lead < 15; ++lead) EXPECT_NEAR(odds(lead + 1) / odds(lead), 2, 1e-9) << lead;
}

TEST(SafeVerdicts, OfAFewLabelsDoNotBreakTheFloor) {
  EXPECT_LT(after(kAdaptedDiffers, 4, 0).informed(0), 0.02);
  EXPECT_GT(after(kSourceDiffers, 0, 4).informed(1), 0.98);
}

TEST(SafeVerdicts, OfEnoughLabelsDecide) {
  EXPECT_GT(after(kAdaptedDiffers, 25, 5).informed(0), 0.95);
  EXPECT_LT(after(kSourceDiffers, 5, 25).informed(1), 0.05);
}

TEST(SafeVerdicts, LeaveTheMixtureAloneWhereItIsTheBest) {
  Verdicts verdicts;
  for (int i = 0; i < 30; ++i) {
    verdicts.count({.source = 0, .mixture = 1, .adapted = 1}, 1);
    verdicts.count({.source = 2, .mixture = 2, .adapted = 1}, 2);
  }
  EXPECT_NEAR(verdicts.informed(0.4), 0.4, 1e-6);
}

TEST(SafeVerdicts, FadeWithTheRowsThatComeAfterThem) {
  Verdicts verdicts = after(kAdaptedDiffers, 1000, 0);
  EXPECT_GT(verdicts.informed(0), 0.99);
  for (int row = 0; row < 6000; ++row) verdicts.fade(1);
  EXPECT_LT(verdicts.informed(0), 0.01);
}

TEST(SafeVerdicts, KnowAboutWhatShareOfRowsIsLabelled) {
  for (const double share : {1.0, 0.25}) {
    Verdicts verdicts;
    EXPECT_EQ(verdicts.labelled_share(), 0);
    for (int batch = 0; batch < 400; ++batch) {
      verdicts.fade(20);
      for (int n = 0; n < 20 * share; ++n) verdicts.count(kSourceDiffers, 1);
    }
    EXPECT_NEAR(verdicts.labelled_share(), share, 0.1 * share + 0.02);
    for (int batch = 0; batch < 1000; ++batch) verdicts.fade(20);
    EXPECT_LT(verdicts.labelled_share(), 0.01);
  }
}

}  // namespace
}  // namespace stad::safe
