#include "corruption/corruption.hpp"

#include <gtest/gtest.h>

#include <stad/eval/corruption.hpp>

#include "smooth_images.hpp"

namespace stad::corruption {
namespace {

constexpr Index kImages = 40;  // 122,880 values: a standard deviation is known to 0.2 %

struct Moments {
  double mean;
  double deviation;
};

Moments moments(const char* name, int severity, float value) {
  const Matrix noisy = *corrupt(constant_images(kImages, kColourShape, value), kColourShape, name, severity);
  const double mean = mean_of(noisy);
  const Matrix centre = constant_images(kImages, kColourShape, static_cast<float>(mean));
  return {mean, std::sqrt(mean_squared_difference(noisy, centre))};
}

double share_of(const Matrix& images, float value) {
  return static_cast<double>(std::count(images.data(), images.data() + images.size(), value)) /
         static_cast<double>(images.size());
}

TEST(GaussianNoise, HasThePublishedDeviation) {
  constexpr double kDeviations[] = {.04, .06, .08, .09, .10};
  for (int severity = 1; severity <= 5; ++severity) {
    const auto found = moments("gaussian_noise", severity, 0.5F);
    EXPECT_NEAR(found.deviation, kDeviations[severity - 1], 0.001);
    EXPECT_NEAR(found.mean, 0.5 - 0.5 / 255, 0.002);  // cutting off to levels takes half a level
  }
}

TEST(ShotNoise, HasTheVarianceOfCountedPhotons) {
  constexpr double kPhotons[] = {500, 250, 100, 75, 50};
  for (int severity = 1; severity <= 5; ++severity) {
    const auto found = moments("shot_noise", severity, 0.25F);
    EXPECT_NEAR(found.deviation, std::sqrt(0.25 / kPhotons[severity - 1]), 0.001);
    EXPECT_NEAR(found.mean, 0.25 - 0.5 / 255, 0.002);
  }
}

TEST(ShotNoise, LeavesBlackBlack) {
  const Matrix black(2, kColourShape.size());
  EXPECT_EQ(*corrupt(black, kColourShape, "shot_noise", 5), black);
}

TEST(ImpulseNoise, TurnsThePublishedShareBlackOrWhite) {
  constexpr double kShares[] = {.01, .02, .03, .05, .07};
  for (int severity = 1; severity <= 5; ++severity) {
    const Matrix noisy =
        *corrupt(constant_images(kImages, kColourShape, 0.4F), kColourShape, "impulse_noise", severity);
    EXPECT_NEAR(share_of(noisy, 0), kShares[severity - 1] / 2, 0.003);
    EXPECT_NEAR(share_of(noisy, 1), kShares[severity - 1] / 2, 0.003);
    EXPECT_NEAR(share_of(noisy, level(0.4)), 1 - kShares[severity - 1], 0.004);
  }
}

TEST(Poisson, HasItsMeanAsMeanAndVariance) {
  for (const double mean : {0.01, 0.7, 3.0, 40.5, 499.9, 500.0}) {
    Random random(3);
    constexpr int kDraws = 100'000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const auto drawn = static_cast<double>(poisson(mean, random)) - mean;
      sum += drawn;
      squares += drawn * drawn;
    }
    // Five standard errors of each.
    EXPECT_NEAR(sum / kDraws, 0, 5 * std::sqrt(mean / kDraws)) << mean;
    EXPECT_NEAR(squares / kDraws, mean, 5 * std::sqrt((mean + 2 * mean * mean) / kDraws)) << mean;
  }
}

TEST(Poisson, HasTheProbabilitiesOfSmallCounts) {
  Random random(4);
  constexpr int kDraws = 200'000;
  int counts[4] = {};
  for (int i = 0; i < kDraws; ++i)
    if (const Index drawn = poisson(1.5, random); drawn < 4) ++counts[drawn];
  const double expected[] = {0.22313, 0.33470, 0.25102, 0.12551};
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(counts[k] / double{kDraws}, expected[k], 0.005);
}

}  // namespace
}  // namespace stad::corruption
