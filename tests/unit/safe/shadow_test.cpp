#include "safe/shadow.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stad::safe {
namespace {

constexpr Index kClasses = 5;
constexpr Index kDimension = 32;
constexpr double kLikeness = 0.5;

/// Unit rows around the axes of their classes, and the classes.
struct Clusters {
  FloatRows rows;
  std::vector<Index> labels;
};

/// `noise` is the length of what is not along the axis.
Clusters clusters(std::uint64_t seed, Index count, double noise) {
  Random random(seed);
  Clusters drawn{FloatRows(count, kDimension), {}};
  for (Index n = 0; n < count; ++n) {
    for (float& value : drawn.rows.row(n))
      value = static_cast<float>(noise / std::sqrt(static_cast<double>(kDimension)) * random.normal());
    drawn.labels.push_back(static_cast<Index>(random.below(kClasses)));
    drawn.rows(n, drawn.labels.back()) += 1;
  }
  drawn.rows.rowwise().normalize();
  return drawn;
}

Shadow that_has_seen(const Clusters& drawn) {
  const FloatRows source = FloatRows::Identity(kClasses, kDimension);
  Shadow shadow(kClasses, kDimension);
  std::vector<Index> said(drawn.labels.size());
  shadow.observe(as_rows(drawn.rows), drawn.labels, as_rows(source), kLikeness, said);
  return shadow;
}

std::vector<float> log_ratios(const Shadow& shadow) {
  std::vector<float> ratios(kClasses);
  shadow.log_ratios(ratios);
  return ratios;
}

TEST(Shadow, AgreesWithTheSourceWhereClassesAreClusters) {
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    // Not quite one: what it was worth before the first row fades, but is not gone.
    EXPECT_GT(that_has_seen(clusters(seed, 3000, 0.5)).agreement(), 0.98);
}

TEST(Shadow, AgreesByChanceOnlyWhereLabelsHaveNothingToDoWithFeatures) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Clusters drawn = clusters(seed, 3000, 0.5);
    Random(seed + 100).shuffle(drawn.labels);
    EXPECT_NEAR(that_has_seen(drawn).agreement(), 0, 0.1);
  }
}

TEST(Shadow, AgreesByChanceOnlyWhereOneClassIsAlmostAlwaysRight) {
  // Nine labels in ten are class 0 whatever the features are: agreement is high, and says nothing.
  Clusters drawn = clusters(1, 3000, 0.5);
  Random random(2);
  for (Index& label : drawn.labels) label = random.uniform() < 0.9 ? 0 : static_cast<Index>(random.below(kClasses));
  EXPECT_LT(that_has_seen(drawn).agreement(), 0.2);
}

TEST(Shadow, StartsWithoutTrust) { EXPECT_LT(Shadow(kClasses, kDimension).agreement(), 0.5); }

TEST(Shadow, FollowsClustersThatMoveWhileTheSourceStillKnowsThem) {
  // Every class at the axis of another: the source's directions are wrong, its labels are right.
  Clusters drawn = clusters(3, 3000, 0.5);
  for (Index& label : drawn.labels) label = (label + 1) % kClasses;
  EXPECT_GT(that_has_seen(drawn).agreement(), 0.9);
}

TEST(Shadow, ConcentratesTheMoreTheTighterTheClusters) {
  double looser = 0;
  for (const double noise : {2.0, 1.0, 0.5, 0.25}) {
    const double concentration = that_has_seen(clusters(1, 2000, noise)).concentration();
    EXPECT_GT(concentration, 1.5 * looser) << noise;
    looser = concentration;
  }
}

TEST(Shadow, IsLessConcentratedThanTheRowsAreLongWhereTheyDifferInFewDimensions) {
  // The same lengths along their axes, but all that is noise is along the axes of other classes.
  Random random(1);
  Clusters drawn = clusters(1, 3000, 1);
  const double even = that_has_seen(drawn).concentration();
  for (Index n = 0; n < drawn.rows.rows(); ++n) {
    const Index label = drawn.labels[static_cast<std::size_t>(n)];
    const float along = drawn.rows(n, label);
    drawn.rows.row(n).setZero();
    for (Index k = 0; k < kClasses; ++k) drawn.rows(n, k) = static_cast<float>(random.normal());
    drawn.rows(n, label) = 0;
    drawn.rows.row(n) *= std::sqrt(1 - along * along) / drawn.rows.row(n).norm();
    drawn.rows(n, label) = along;
  }
  EXPECT_LT(that_has_seen(drawn).concentration(), 0.5 * even);
}

TEST(Shadow, SharesRowsOutMoreEvenlyThanASourceThatCrowdsThem) {
  // Half of class 1 is called class 0.
  Clusters drawn = clusters(1, 3000, 0.5);
  Random random(4);
  for (Index& label : drawn.labels)
    if (label == 1 && random.uniform() < 0.5) label = 0;
  const auto ratios = log_ratios(that_has_seen(drawn));
  EXPECT_LT(ratios[0], -0.2F);
  EXPECT_GT(ratios[1], 0.4F);
  EXPECT_NEAR(ratios[2], 0, 0.1F);
}

TEST(Shadow, HasNothingToSetRightWhereItAgrees) {
  for (const float ratio : log_ratios(that_has_seen(clusters(1, 3000, 0.25)))) EXPECT_NEAR(ratio, 0, 0.02F);
}

}  // namespace
}  // namespace stad::safe
