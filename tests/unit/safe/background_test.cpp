#include "safe/background.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stad::safe {
namespace {

double known(Random& random) { return 0.7 + 0.08 * random.normal(); }
double strange(Random& random) { return 0.2 + 0.1 * random.normal(); }

TEST(SafeBackground, SaysNothingBeforeItHasSeenAnything) { EXPECT_EQ(Background().unknown(0), 0); }

TEST(SafeBackground, HardlyEverFlagsRowsOfKnownClasses) {
  Background background;
  Random random(1);
  int flagged = 0;
  for (int row = 0; row < 5000; ++row) flagged += background.observe(known(random)) >= 0.5 ? 1 : 0;
  EXPECT_LT(flagged, 50);
}

TEST(SafeBackground, FlagsRowsThatFitFarWorse) {
  Background background;
  Random random(2);
  for (int row = 0; row < 1000; ++row) background.observe(known(random));
  int flagged = 0;
  int mistaken = 0;
  for (int row = 0; row < 3000; ++row)
    if (row % 5 == 0)
      flagged += background.observe(strange(random)) >= 0.5 ? 1 : 0;
    else
      mistaken += background.observe(known(random)) >= 0.5 ? 1 : 0;
  EXPECT_GT(flagged, 550) << "of 600";
  EXPECT_LT(mistaken, 48) << "of 2400";
}

TEST(SafeBackground, IsTheLikelierTheWorseARowFits) {
  Background background;
  Random random(3);
  for (int row = 0; row < 1000; ++row) background.observe(known(random));
  for (double fit = -1; fit < 1; fit += 0.01) EXPECT_GE(background.unknown(fit), background.unknown(fit + 0.01));
  EXPECT_GT(background.unknown(0), 0.99);
  EXPECT_LT(background.unknown(0.7), 0.01);
}

TEST(SafeBackground, FollowsFitsThatBecomeWorseForAll) {
  Background background;
  Random random(4);
  for (int row = 0; row < 1000; ++row) background.observe(known(random));
  int flagged = 0;
  for (int row = 0; row < 6000; ++row) {
    const bool unknown = background.observe(known(random) - 0.3) >= 0.5;
    if (row >= 3000 && unknown) ++flagged;
  }
  EXPECT_LT(flagged, 60) << "of 3000: drift makes nobody unknown for good";
}

TEST(SafeBackground, AsksNothingOfRowsThatAllFitAlike) {
  Background background;
  for (int row = 0; row < 5000; ++row) EXPECT_LT(background.observe(0.5), 0.5);
  EXPECT_TRUE(background.unknown(-1) <= 1 && background.unknown(1) >= 0);
}

}  // namespace
}  // namespace stad::safe
