#include "safe/distrust.hpp"

#include <gtest/gtest.h>

namespace stad::safe {
namespace {

constexpr Index kBatch = 100;

/// How often prototypes are to start again.
int starts(Distrust& distrust, double believed, Index rows) {
  int count = 0;
  for (Index n = 0; n < rows; n += kBatch) count += distrust.observe(believed, kBatch);
  return count;
}

TEST(Distrust, StartsAgainAfterThousandsOfRowsAndNotBefore) {
  Distrust distrust;
  EXPECT_EQ(starts(distrust, 0.01, 2900), 0);
  EXPECT_EQ(starts(distrust, 0.01, 100), 1);
  EXPECT_EQ(starts(distrust, 0.01, 2900), 0);
}

TEST(Distrust, IsForgottenAsSoonAsPrototypesAreBelieved) {
  Distrust distrust;
  EXPECT_EQ(starts(distrust, 0.01, 2900), 0);
  EXPECT_EQ(starts(distrust, 0.5, 100), 0);
  EXPECT_EQ(starts(distrust, 0.01, 2900), 0);
}

}  // namespace
}  // namespace stad::safe
