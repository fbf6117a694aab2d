#include "corruption/corruption.hpp"

#include <gtest/gtest.h>

#include <stad/eval/corruption.hpp>

#include "corruption/filters.hpp"
#include "corruption/jpeg.hpp"
#include "smooth_images.hpp"

namespace stad::corruption {
namespace {

TEST(Contrast, ShrinksDifferencesFromTheMeanOfTheChannel) {
  constexpr double kShares[] = {.75, .5, .4, .3, .15};
  const Matrix clean = smooth_images(1, kColourShape);
  for (int severity = 1; severity <= 5; ++severity) {
    const Matrix faint = *corrupt(clean, kColourShape, "contrast", severity);
    for (Index channel = 0; channel < 3; ++channel) {
      double mean = 0;
      for (Index i = 0; i < 1024; ++i) mean += static_cast<double>(clean(0, channel * 1024 + i)) / 1024;
      for (Index i = 0; i < 1024; ++i) {
        const double value = (static_cast<double>(clean(0, channel * 1024 + i)) - mean) * kShares[severity - 1] + mean;
        ASSERT_NEAR(faint(0, channel * 1024 + i), level(value), 1.001 / 255);  // rounding may decide a level
      }
    }
  }
}

TEST(Pixelate, LeavesAConstantImageConstant) {
  for (int severity = 1; severity <= 5; ++severity) {
    const Matrix clean = constant_images(1, kColourShape, 77.0F / 255);
    EXPECT_EQ(*corrupt(clean, kColourShape, "pixelate", severity), clean);
  }
}

TEST(Pixelate, HasAsFewDifferentRowsAsTheSmallImage) {
  Image image{Plane(32, 32)};
  for (Index y = 0; y < 32; ++y)
    for (Index x = 0; x < 32; ++x) image[0](y, x) = static_cast<float>(y) / 32;
  Random random(0);
  pixelate(image, 5, random);
  int rows = 1;
  for (Index y = 1; y < 32; ++y) rows += image[0](y, 0) != image[0](y - 1, 0);
  EXPECT_EQ(rows, 20);  // 0.65 of 32
}

TEST(BoxResized, TakesTheMeanOfWhatAPixelCovers) {
  Plane plane(2, 4);
  plane.values = {0, 1, 0.2F, 0.4F, 0, 1, 0.2F, 0.4F};
  const Plane small = box_resized(plane, 1, 2);
  EXPECT_FLOAT_EQ(small(0, 0), 128.0F / 255);  // to 8 bits
  EXPECT_FLOAT_EQ(small(0, 1), 77.0F / 255);
}

TEST(Jpeg, KeepsAGreyImageAlmostAsItIs) {
  Image image(3, Plane(32, 32));
  for (auto& plane : image)
    for (float& value : plane.values) value = 0.5F;
  const Image kept = jpeg_round_trip(image, 80);
  for (const auto& plane : kept)
    for (const float value : plane.values) ASSERT_NEAR(value, 0.5, 2.0 / 255);
}

TEST(Jpeg, WorksOnSidesThatAreNoMultiplesOfItsBlocks) {
  for (const std::size_t channels : {1, 3}) {
    const Image image(channels, Plane(9, 13));
    const Image kept = jpeg_round_trip(image, 40);
    EXPECT_EQ(kept.size(), channels);
    EXPECT_EQ(kept[0].values.size(), 9u * 13u);
  }
}

TEST(Jpeg, ThrowsAndDoesNotEndTheProcessWhereLibjpegGivesUp) {
  const Image image{Plane(1, 70'000)};  // wider than the format allows
  EXPECT_THROW(jpeg_round_trip(image, 80), std::bad_alloc);
}

TEST(ElasticTransform, LeavesAConstantImageConstant) {
  for (int severity = 1; severity <= 5; ++severity) {
    const Matrix clean = constant_images(2, kColourShape, 100.0F / 255);
    EXPECT_EQ(*corrupt(clean, kColourShape, "elastic_transform", severity), clean);
  }
}

TEST(ElasticTransform, OnlyTiltsAtSeverityOne) {
  // An affine map of a slope is a slope again, away from the borders: second differences vanish.
  Image image{Plane(32, 32)};
  for (Index y = 0; y < 32; ++y)
    for (Index x = 0; x < 32; ++x) image[0](y, x) = static_cast<float>(x) / 32;
  Random random(2);
  elastic_transform(image, 1, random);
  for (Index y = 12; y < 20; ++y)
    for (Index x = 12; x < 20; ++x) ASSERT_NEAR(image[0](y, x - 1) + image[0](y, x + 1), 2 * image[0](y, x), 1e-5);
}

}  // namespace
}  // namespace stad::corruption
