#include "safe/memories.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace stad::safe {
namespace {

constexpr Index kClasses = 2;
constexpr Index kDimension = 16;
constexpr Index kBatch = 64;
constexpr double kAnchor = 5;
constexpr double kLikeness = 0.5;
constexpr double kConcentration = 20;
constexpr double kUsualAlone[] = {0, 1};

FloatRowsMap in_place(FloatRows& rows) { return {rows.data(), rows.rows(), rows.cols()}; }

/// Two classes at right angles, turned away from the source by an angle.
FloatRows turned(double angle) {
  FloatRows means = FloatRows::Zero(kClasses, kDimension);
  for (Index k = 0; k < kClasses; ++k) {
    means(k, k) = static_cast<float>(std::cos(angle));
    means(k, kClasses + k) = static_cast<float>(std::sin(angle));
  }
  return means;
}

/// Memories that hear rows about known means.
struct Listener {
  FloatRows source = turned(0);
  Memories memories{kClasses, kDimension, kAnchor};
  Random random{3};

  void hear(double angle, Index batch = kBatch) {
    const FloatRows means = turned(angle);
    FloatRows rows(batch, kDimension);
    FloatRows responsibilities = FloatRows::Zero(batch, kClasses);
    for (Index n = 0; n < batch; ++n) {
      for (float& value : rows.row(n).reshaped()) value = static_cast<float>(0.3 * random.normal());
      rows.row(n) += means.row(n % kClasses);
      rows.row(n).normalize();
      responsibilities(n, n % kClasses) = 1;
    }
    memories.learn(as_rows(responsibilities), as_rows(rows), as_rows(source), kLikeness, kConcentration,
                   memories.shares(0));
  }

  FloatRows directions(const Memories::Shares& shares) const {
    FloatRows out(kClasses, kDimension);
    memories.directions(as_rows(source), kLikeness, shares, in_place(out));
    return out;
  }
};

TEST(Memories, StartAtTheSourceWithTheUsualOne) {
  const Listener listener;
  const auto shares = listener.memories.shares(0);
  for (std::size_t i = 0; i < shares.size(); ++i) EXPECT_EQ(shares[i], kUsualAlone[i]);
  EXPECT_EQ(listener.directions(shares), listener.source);
}

TEST(Memories, CountAsUsualWhereNothingMoves) {
  Listener listener;
  for (int i = 0; i < 60; ++i) listener.hear(0.5);
  EXPECT_EQ(listener.memories.shares(0)[1], 1);
}

TEST(Memories, CountShortestWhereClassesMoveFast) {
  Listener listener;
  for (int i = 0; i < 60; ++i) listener.hear(0.4 * i, 16);
  EXPECT_GT(listener.memories.shares(0)[0], 0.9);
}

TEST(Memories, AreJudgedInsideOfLargeBatchesToo) {
  Listener listener;
  // From batch to batch the classes jump, so that no memory foretells the next one; a short one does inside of it.
  for (int i = 0; i < 20; ++i) listener.hear(1.9 * i, 8 * kBatch);
  EXPECT_GT(listener.memories.shares(0)[0], 0.9);
}

TEST(Memories, CountAsUsualWhereLabelsPersist) {
  Listener listener;
  for (int i = 0; i < 60; ++i) listener.hear(0.4 * i, 16);
  const auto shares = listener.memories.shares(1);
  for (std::size_t i = 0; i < shares.size(); ++i) EXPECT_EQ(shares[i], kUsualAlone[i]);
}

TEST(Memories, SharesMoveGentlyAndSumToOne) {
  Listener listener;
  for (int i = 0; i < 60; ++i) listener.hear(0.4 * i, 16);
  double before = listener.memories.shares(0)[1];
  for (int i = 0; i <= 100; ++i) {
    const auto shares = listener.memories.shares(0.01 * i);
    EXPECT_NEAR(shares[0] + shares[1], 1, 1e-12);
    EXPECT_NEAR(shares[1], before, 0.011);
    before = shares[1];
  }
}

TEST(Memories, WeighThemselvesAnewAfterAnAbruptChange) {
  Listener listener;
  for (int i = 0; i < 60; ++i) listener.hear(0);
  ASSERT_EQ(listener.memories.shares(0)[1], 1);
  for (int i = 0; i < 2; ++i) listener.hear(1.2);
  EXPECT_GT(listener.memories.shares(0)[0], 0.9);
  const FloatRows directions = listener.directions(listener.memories.shares(0));
  EXPECT_GT(directions.cwiseProduct(turned(1.2)).sum() / kClasses, 0.9F);
}

TEST(Memories, ReturnToAWorldThatComesBack) {
  Listener listener;
  for (const double angle : {0.0, 1.2, 0.0, 1.2, 0.0}) {
    for (int i = 0; i < 30; ++i) listener.hear(angle);
  }
  listener.hear(1.2);  // the first rows of a world that was there before
  const FloatRows usual = listener.directions({0, 1});
  EXPECT_GT(usual.cwiseProduct(turned(1.2)).sum() / kClasses, 0.97F);
}

TEST(Memories, MixDirectionsOfUnitLength) {
  Listener listener;
  for (int i = 0; i < 20; ++i) listener.hear(0.4 * i);
  const FloatRows directions = listener.directions({0.4, 0.6});
  EXPECT_LT((directions.rowwise().norm().array() - 1).abs().maxCoeff(), 1e-6F);
  EXPECT_NE(directions, listener.directions({0, 1}));
}

TEST(Memories, ForgetAllTheyHaveHeard) {
  Listener listener;
  for (int i = 0; i < 60; ++i) listener.hear(0.5);
  listener.memories.forget();
  const auto shares = listener.memories.shares(0);
  for (std::size_t i = 0; i < shares.size(); ++i) EXPECT_EQ(shares[i], kUsualAlone[i]);
  EXPECT_EQ(listener.directions({0.4, 0.6}), listener.source);
}

}  // namespace
}  // namespace stad::safe
