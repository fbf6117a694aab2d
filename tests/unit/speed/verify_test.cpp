#include "speed/verify.hpp"

#include <gtest/gtest.h>

#include "speed/synthetic_stream.hpp"
#include "support/method_cases.hpp"

namespace stad::speed {
namespace {

TEST(Verify, FindsEveryMethodInAgreementWithItsPlainForm) {
  for (const auto& tested : testing::method_cases()) {
    SpeedSettings settings{.method = tested.method, .options = tested.options};
    settings.samples = 12;
    settings.dimension = 16;
    settings.classes = 3;
    const auto verified = verify(settings);
    ASSERT_TRUE(verified) << tested.name << ": " << verified.error().message;
    EXPECT_GE(verified->batches, 2) << tested.name;
    EXPECT_LE(verified->largest_difference, 1e-4) << tested.name;
    EXPECT_LE(verified->largest_prototype_difference, 1e-4) << tested.name;
  }
}

TEST(Verify, ComparesGaussOnASmallShapeAndTheOthersOnTheirOwn) {
  const SpeedSettings large{.method = "stad-gauss", .options = {}, .samples = 100, .dimension = 512, .classes = 10};
  const auto reduced = verified_shape(large);
  EXPECT_EQ(reduced.samples, 24);
  EXPECT_EQ(reduced.dimension, 32);
  EXPECT_EQ(reduced.classes, 4);
  const SpeedSettings same{.method = "stad-vmf", .options = {}, .samples = 100, .dimension = 512, .classes = 10};
  EXPECT_EQ(verified_shape(same).dimension, 512);
}

TEST(Verify, ReadsTheWindowFromTheOptions) {
  EXPECT_EQ(window_of({{"window", "7", true}}), 7);
  EXPECT_EQ(window_of({{"supports", "100", true}}), 0);
}

TEST(SyntheticStream, KeepsAtMostSixtyFourBatchesAndAQuarterOfAGigabyte) {
  EXPECT_EQ(ring_length({.samples = 1, .dimension = 2, .classes = 2}), 64);
  EXPECT_EQ(ring_length({.samples = 4096, .dimension = 4096, .classes = 2}), 4);
  EXPECT_EQ(ring_length({.samples = 100'000, .dimension = 4096, .classes = 2}), 1);
}

TEST(SyntheticStream, IsTheSameForTheSameSeed) {
  const BatchShape shape{.samples = 5, .dimension = 7, .classes = 3};
  EXPECT_EQ(synthetic_stream(shape, 1).batches, synthetic_stream(shape, 1).batches);
  EXPECT_NE(synthetic_stream(shape, 1).batches, synthetic_stream(shape, 2).batches);
  EXPECT_EQ(synthetic_stream(shape, 1).batch(64), synthetic_stream(shape, 1).batch(0));
}

}  // namespace
}  // namespace stad::speed
