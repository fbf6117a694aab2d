#include "corruption/corruption.hpp"

#include <gtest/gtest.h>

#include <stad/eval/corruption.hpp>

#include "corruption/textures.hpp"
#include "smooth_images.hpp"

namespace stad::corruption {
namespace {

TEST(Brightness, RaisesTheValueAndKeepsHueAndSaturation) {
  Image image(3, Plane(8, 8));
  image[0](0, 0) = 0.6F;
  image[1](0, 0) = 0.3F;
  Random random(0);
  brightness(image, 5, random);
  EXPECT_FLOAT_EQ(image[0](0, 0), 0.9F);
  EXPECT_FLOAT_EQ(image[1](0, 0), 0.45F);
  EXPECT_FLOAT_EQ(image[2](0, 0), 0);
  for (const auto& plane : image) EXPECT_FLOAT_EQ(plane(0, 1), 0.3F);  // black has no hue: it becomes grey
}

TEST(Brightness, StopsAtWhite) {
  Image image{Plane(8, 8)};
  image[0](0, 0) = 0.98F;
  Random random(0);
  brightness(image, 1, random);
  EXPECT_FLOAT_EQ(image[0](0, 0), 1);
}

TEST(Plasma, ReachesFromZeroToOne) {
  Random random(2);
  const Plane clouds = plasma(64, 2, random);
  EXPECT_EQ(std::ranges::min(clouds.values), 0);
  EXPECT_EQ(std::ranges::max(clouds.values), 1);
}

TEST(Plasma, IsSmootherWhereDetailDecaysFaster) {
  const auto roughness = [](double decay) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Random random(seed);
      const Plane clouds = plasma(32, decay, random);
      for (Index y = 0; y < 32; ++y)
        for (Index x = 1; x < 32; ++x) sum += std::abs(clouds(y, x) - clouds(y, x - 1));
    }
    return sum;
  };
  EXPECT_LT(roughness(3), roughness(1.75));
}

TEST(Plasma, MeetsItselfAtOppositeEdges) {
  Random random(5);
  const Plane clouds = plasma(64, 2, random);
  float inner = 0;
  float across = 0;
  for (Index y = 0; y < 64; ++y) {
    inner += std::abs(clouds(y, 32) - clouds(y, 31));
    across += std::abs(clouds(y, 0) - clouds(y, 63));
  }
  EXPECT_LT(across, 2 * inner);
}

TEST(Fog, NeverMakesAnImageBrighterThanItsBrightestPixel) {
  const Matrix clean = constant_images(4, kColourShape, 0.5F);
  for (int severity = 1; severity <= 5; ++severity) {
    const Matrix foggy = *corrupt(clean, kColourShape, "fog", severity);
    EXPECT_LE(*std::max_element(foggy.data(), foggy.data() + foggy.size()), level(0.5));
  }
}

TEST(Snow, OnlyBrightens) {
  Matrix clean = smooth_images(4, kColourShape);
  for (Index i = 0; i < clean.size(); ++i) clean.data()[i] = level(static_cast<double>(clean.data()[i]));
  const Matrix snowy = *corrupt(clean, kColourShape, "snow", 3);
  for (Index i = 0; i < clean.size(); ++i) ASSERT_GE(snowy.data()[i], clean.data()[i] - 1e-6F);
}

TEST(Frost, IsBluishWhiteWithCrystalsAndClearGlass) {
  Random random(1);
  const Image texture = frost_crop(3, 256, 256, random);
  for (std::size_t i = 0; i < texture[0].values.size(); ++i) {
    ASSERT_LE(texture[0].values[i], texture[2].values[i]);
    ASSERT_GE(texture[0].values[i], 0);
    ASSERT_LE(texture[2].values[i], 1);
  }
  EXPECT_LT(std::ranges::min(texture[1].values), 0.2F);
  EXPECT_GT(std::ranges::max(texture[1].values), 0.9F);
}

TEST(Frost, AddsWhatIsPublishedOfTheTexture) {
  Image image{Plane(32, 32)};
  for (float& value : image[0].values) value = 0.2F;
  Random random(9);
  Random same(9);
  frost(image, 5, random);
  const Image texture = frost_crop(1, 32, 32, same);
  for (std::size_t i = 0; i < image[0].values.size(); ++i)
    ASSERT_FLOAT_EQ(image[0].values[i], 0.75F * 0.2F + 0.45F * texture[0].values[i]);
}

}  // namespace
}  // namespace stad::corruption
