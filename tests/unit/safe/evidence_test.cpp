#include "safe/evidence.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stad::safe {
namespace {

constexpr Index kClasses = 3;
constexpr Index kDimension = 21;  // a vector, and something left
constexpr double kMemory = 40;
constexpr double kAnchor = 5;
constexpr double kLikeness = 0.4;

FloatRowsMap in_place(FloatRows& rows) { return {rows.data(), rows.rows(), rows.cols()}; }

/// Unit vectors of the axes, from the first on.
FloatRows source() { return FloatRows::Identity(kClasses, kDimension); }

/// Memory for what the classes hear.
struct Rows {
  std::vector<double> masses = std::vector<double>(kClasses, 0.0);
  FloatRows sums = FloatRows::Zero(kClasses, kDimension);

  Heard heard() { return {masses, in_place(sums)}; }
  /// `rows` times the unit vector of an axis.
  void tell(Index k, Index axis, double rows) {
    masses[static_cast<std::size_t>(k)] += rows;
    sums(k, axis) += static_cast<float>(rows);
  }
};

Evidence fresh() { return {kClasses, kDimension, kMemory, kAnchor}; }

FloatRows directions(const Evidence& evidence) {
  const FloatRows from = source();
  FloatRows out(kClasses, kDimension);
  evidence.directions(as_rows(from), kLikeness, in_place(out));
  return out;
}

FloatRows directions(const Evidence& evidence, Rows& told) {
  const FloatRows from = source();
  FloatRows out(kClasses, kDimension);
  evidence.directions(as_rows(from), kLikeness, told.heard(), in_place(out));
  return out;
}

Rows random_rows(std::uint64_t seed) {
  Random random(seed);
  Rows rows;
  for (double& mass : rows.masses) mass = 20 * random.uniform();
  for (float& value : rows.sums.reshaped()) value = static_cast<float>(random.normal());
  return rows;
}

TEST(Evidence, StartsAtTheSource) { EXPECT_EQ(directions(fresh()), source()); }

TEST(Evidence, PointsAlongUnitRows) {
  Evidence evidence = fresh();
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Rows rows = random_rows(seed);
    evidence.add(rows.heard());
    EXPECT_LT((directions(evidence).rowwise().norm().array() - 1).abs().maxCoeff(), 1e-6F);
  }
}

TEST(Evidence, AClassThatHearsNothingKeepsItsDirectionToTheBit) {
  Evidence evidence = fresh();
  Rows first = random_rows(1);
  evidence.add(first.heard());
  const FloatRows before = directions(evidence);
  for (int i = 0; i < 1000; ++i) {
    Rows others;
    others.tell(0, 3, 10);
    evidence.add(others.heard());
  }
  EXPECT_NE(directions(evidence).row(0), before.row(0));
  EXPECT_EQ(directions(evidence).bottomRows(2), before.bottomRows(2));
}

TEST(Evidence, WeighsTheSourceAsTheRowsOfTheAnchor) {
  Evidence evidence = fresh();
  Rows rows;
  rows.tell(1, 7, 3);
  evidence.add(rows.heard());
  EXPECT_NEAR(directions(evidence)(1, 7) / directions(evidence)(1, 1), 3 / (kAnchor * kLikeness), 1e-5);
}

TEST(Evidence, NeverForgetsTheSourceAndRemembersAsManyRowsAsItsMemory) {
  Evidence evidence = fresh();
  for (int i = 0; i < 5000; ++i) {
    Rows row;
    row.tell(2, 7, 1);
    evidence.add(row.heard());
  }
  const double remembered = 1 / (1 - std::exp(-1 / kMemory));
  EXPECT_NEAR(directions(evidence)(2, 7) / directions(evidence)(2, 2), remembered / (kAnchor * kLikeness), 1e-3);
}

TEST(Evidence, ForeseesWhatHearingWillMakeOfIt) {
  Evidence evidence = fresh();
  Rows first = random_rows(1);
  evidence.add(first.heard());
  Rows second = random_rows(2);
  const FloatRows foreseen = directions(evidence, second);
  EXPECT_NE(foreseen, directions(evidence));
  evidence.add(second.heard());
  EXPECT_LT((foreseen - directions(evidence)).cwiseAbs().maxCoeff(), 1e-6F);
}

TEST(Evidence, FitsWhatLiesAlongItsDirections) {
  const FloatRows from = source();
  Evidence evidence = fresh();
  Rows first = random_rows(1);
  evidence.add(first.heard());
  Rows second = random_rows(2);
  Rows next = random_rows(3);
  EXPECT_NEAR(evidence.fit(as_rows(from), kLikeness, next.heard()), directions(evidence).cwiseProduct(next.sums).sum(),
              1e-4);
  EXPECT_NEAR(evidence.fit(as_rows(from), kLikeness, second.heard(), next.heard()),
              directions(evidence, second).cwiseProduct(next.sums).sum(), 1e-4);
}

TEST(Evidence, FadesTowardsTheSourceBeforeAndAfterItHears) {
  Evidence once = fresh();
  Evidence twice = fresh();
  Rows first = random_rows(1);
  Rows second = random_rows(2);
  for (Evidence* evidence : {&once, &twice}) evidence->add(first.heard());
  const FloatRows before = directions(once);
  once.fade(0.25);
  twice.fade(0.5);
  twice.fade(0.5);
  EXPECT_EQ(directions(once), directions(twice));
  EXPECT_GT(directions(once)(0, 0), before(0, 0));
  const FloatRows foreseen = directions(once, second);
  once.add(second.heard());
  EXPECT_LT((foreseen - directions(once)).cwiseAbs().maxCoeff(), 1e-6F);
  once.forget();
  EXPECT_EQ(directions(once), source());
}

TEST(Evidence, StaysZeroWhereNothingPointsAnywhere) {
  const FloatRows from = source();
  FloatRows out(kClasses, kDimension);
  fresh().directions(as_rows(from), 0, in_place(out));
  EXPECT_TRUE(out.isZero(0));
}

}  // namespace
}  // namespace stad::safe
