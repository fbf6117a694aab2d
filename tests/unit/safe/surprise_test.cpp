#include "safe/surprise.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stad::safe {
namespace {

constexpr Index kChunk = 64;

/// As many chunks of rows that fit about as well as `level`; returns how many of them surprise.
int surprises(Surprise& surprise, Random& random, double level, int chunks) {
  int count = 0;
  for (int i = 0; i < chunks; ++i) count += surprise.observe(kChunk * (level + 0.02 * random.normal()), kChunk);
  return count;
}

TEST(Surprise, IsSeldomWhereNothingChanges) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Surprise surprise;
    Random random(seed);
    count += surprises(surprise, random, 0.4, 200);
  }
  EXPECT_LE(count, 20) << "of 10000 chunks; a spread known from few of them is at times too small";
}

TEST(Surprise, ComesWithTheFirstRowsAfterAChangeAndOnce) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Surprise surprise;
    Random random(seed);
    surprises(surprise, random, 0.4, 20);
    EXPECT_EQ(surprises(surprise, random, 0.2, 1), 1) << seed;
    EXPECT_EQ(surprises(surprise, random, 0.2, 10), 0) << seed;
  }
}

TEST(Surprise, IsNoneWhereRowsFitBetter) {
  Surprise surprise;
  Random random(1);
  surprises(surprise, random, 0.4, 20);
  EXPECT_EQ(surprises(surprise, random, 0.6, 1), 0);
}

TEST(Surprise, IsTheSameRowByRow) {
  for (const double after : {0.4, 0.2}) {
    Surprise at_once;
    Surprise by_rows;
    Random random(2);
    for (int chunk = 0; chunk < 25; ++chunk) {
      const double level = (chunk < 20 ? 0.4 : after) + 0.02 * random.normal();
      bool one_of_them = false;
      for (Index n = 0; n < kChunk; ++n) one_of_them |= by_rows.observe(level, 1);
      EXPECT_EQ(at_once.observe(kChunk * level, kChunk), one_of_them) << chunk;
      EXPECT_EQ(one_of_them, chunk == 20 && after < 0.4);
    }
  }
}

}  // namespace
}  // namespace stad::safe
