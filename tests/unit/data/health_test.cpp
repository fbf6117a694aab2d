#include <stad/predictions.hpp>

#include <gtest/gtest.h>

namespace stad::testing {
namespace {

TEST(Health, RatesFlipsAmongComparedRows) {
  EXPECT_EQ(Health{}.flip_rate(), 0) << "none compared";
  Health health;
  health.compared = 4;
  health.flipped = 1;
  EXPECT_DOUBLE_EQ(health.flip_rate(), 0.25);
}

TEST(Health, NamesEveryWarningAndEveryTest) {
  EXPECT_STREQ(name_of(Warning::kFine), "fine");
  EXPECT_STREQ(name_of(Warning::kWatch), "watch");
  EXPECT_STREQ(name_of(Warning::kAct), "act");
  EXPECT_STREQ(name_of(GuardTest::kNone), "none");
  EXPECT_STREQ(name_of(GuardTest::kRows), "rows");
  EXPECT_STREQ(name_of(GuardTest::kZeta), "zeta");
  EXPECT_STREQ(name_of(GuardTest::kExcess), "excess");
  EXPECT_STREQ(name_of(GuardTest::kAutocorrelation), "autocorrelation");
}

}  // namespace
}  // namespace stad::testing
