#include "safe/worlds.hpp"

#include <gtest/gtest.h>

#include "math/scratch_rows.hpp"

namespace stad::safe {
namespace {

constexpr Index kClasses = 2;
constexpr Index kDimension = 8;
constexpr double kLikeness = 0.5;

/// Rows of which each class hears ten, all along one axis of its own in each world.
struct Drawn {
  std::vector<double> masses = {10, 10};
  FloatRows sums = FloatRows::Zero(kClasses, kDimension);

  explicit Drawn(Index world) {
    for (Index k = 0; k < kClasses; ++k) sums(k, 2 * world + k) = 10;
  }
  Heard heard() { return {masses, {sums.data(), kClasses, kDimension}}; }
};

struct Fixture {
  FloatRows source = FloatRows::Identity(kClasses, kDimension);
  Worlds worlds{kClasses, kDimension, 50, 1};

  Evidence world(Index number) const {
    Evidence evidence(kClasses, kDimension, 50, 1);
    Drawn drawn(number);
    evidence.add(drawn.heard());
    return evidence;
  }
  double fit(const Evidence& evidence, Index number) const {
    Drawn drawn(number);
    return evidence.fit(as_rows(source), kLikeness, drawn.heard());
  }
  /// Where one returns to from an empty world.
  std::optional<Evidence> returned(Index number, double least_fit = 0) {
    Drawn drawn(number);
    Evidence to(kClasses, kDimension, 50, 1);
    if (!worlds.return_to_best(as_rows(source), kLikeness, drawn.heard(), least_fit, to)) return std::nullopt;
    return to;
  }
};

TEST(SafeWorlds, ReturnToTheOneThatFits) {
  Fixture fixture;
  fixture.worlds.keep(fixture.world(1));
  fixture.worlds.keep(fixture.world(2));
  const auto to = fixture.returned(1);
  ASSERT_TRUE(to);
  EXPECT_EQ(fixture.fit(*to, 1), fixture.fit(fixture.world(1), 1));
  EXPECT_FALSE(fixture.returned(1, 15)) << "which is kept no longer";
  EXPECT_TRUE(fixture.returned(2, 15));
}

TEST(SafeWorlds, ReturnNowhereIfNoneFitsBetter) {
  Fixture fixture;
  EXPECT_FALSE(fixture.returned(1)) << "there is none";
  fixture.worlds.keep(fixture.world(1));
  EXPECT_FALSE(fixture.returned(1, 20)) << "the rows are as well remembered as that";
  EXPECT_FALSE(fixture.returned(3, 1));
  EXPECT_TRUE(fixture.returned(1, 15));
}

TEST(SafeWorlds, ForgetTheOldest) {
  Fixture fixture;
  for (const Index number : {1, 2, 3}) fixture.worlds.keep(fixture.world(number));
  fixture.worlds.keep(fixture.world(0));
  EXPECT_FALSE(fixture.returned(1, 15));
  for (const Index number : {2, 0, 3}) EXPECT_TRUE(fixture.returned(number, 9)) << number;
}

TEST(SafeWorlds, ForgetAll) {
  Fixture fixture;
  fixture.worlds.keep(fixture.world(1));
  fixture.worlds.forget();
  EXPECT_FALSE(fixture.returned(1));
}

}  // namespace
}  // namespace stad::safe
