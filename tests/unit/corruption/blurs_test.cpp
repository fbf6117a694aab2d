#include "corruption/corruption.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "corruption/filters.hpp"

namespace stad::corruption {
namespace {

Plane dot_plane() {
  Plane plane(33, 33);
  plane(16, 16) = 1;
  return plane;
}

Plane slope_plane() {
  Plane plane(32, 32);
  for (Index y = 0; y < 32; ++y)
    for (Index x = 0; x < 32; ++x) plane(y, x) = static_cast<float>(x + 2 * y) / 100;
  return plane;
}

float plane_sum(const Plane& plane) { return std::accumulate(plane.values.begin(), plane.values.end(), 0.0F); }

TEST(Border, StandsForWhatLiesOutside) {
  const auto places = [](Border border) {
    std::vector<Index> result;
    for (Index i = -5; i < 9; ++i) result.push_back(inside(i, 4, border));
    return result;
  };
  EXPECT_EQ(places(Border::kNearest), (std::vector<Index>{0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3}));
  EXPECT_EQ(places(Border::kMirror), (std::vector<Index>{1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1, 2}));
  EXPECT_EQ(places(Border::kReflect), (std::vector<Index>{3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0}));
}

TEST(GaussianBlur, SpreadsADotAsAGaussian) {
  const Plane blurred = gaussian_blur(dot_plane(), 2, 4, Border::kNearest);
  EXPECT_NEAR(plane_sum(blurred), 1, 1e-5);
  EXPECT_NEAR(blurred(16, 18) / blurred(16, 16), std::exp(-0.5), 1e-5);
  EXPECT_EQ(blurred(14, 16), blurred(16, 18));
  EXPECT_EQ(blurred(16, 25), 0);  // beyond four deviations
}

TEST(GaussianBlur, LeavesTheImageWhereItIsNarrowerThanAPixel) {
  EXPECT_EQ(gaussian_blur(slope_plane(), 0.05, 4, Border::kNearest).values, slope_plane().values);
}

TEST(DiskBlur, SpreadsADotOverADisk) {
  const Plane blurred = disk_blur(dot_plane(), 1.5, 0.1);
  EXPECT_NEAR(plane_sum(blurred), 1, 1e-5);
  for (Index y = 15; y <= 17; ++y)
    for (Index x = 15; x <= 17; ++x) EXPECT_NEAR(blurred(y, x), 1.0 / 9, 1e-5);
}

TEST(MotionBlur, SmearsADotInOneDirection) {
  const Plane blurred = motion_blur(dot_plane(), 6, 3, 0);
  EXPECT_NEAR(plane_sum(blurred), 1, 13 * 0.5 / 255);
  EXPECT_GT(blurred(16, 14), 0);
  EXPECT_GT(blurred(16, 16), blurred(16, 14));
  EXPECT_EQ(blurred(16, 17), 0);  // light is gathered from ahead
  EXPECT_EQ(blurred(15, 16), 0);
}

TEST(Zoomed, KeepsTheImageAtFactorOne) { EXPECT_EQ(zoomed(slope_plane(), 1).values, slope_plane().values); }

TEST(Zoomed, FlattensASlopeByItsFactor) {
  const Plane enlarged = zoomed(slope_plane(), 2);
  // 16 pixels spread over 32 places, corners to corners.
  EXPECT_NEAR(enlarged(16, 20) - enlarged(16, 10), 0.1 * 15 / 31, 1e-5);
  EXPECT_NEAR(enlarged(0, 0), slope_plane()(8, 8), 1e-5);
}

TEST(GlassBlur, TakesEveryPixelFromItsNeighbourhood) {
  Image image{slope_plane()};
  Random random(1);
  glass_blur(image, 1, random);
  for (Index y = 2; y < 32; ++y)
    for (Index x = 2; x < 32; ++x) {
      bool found = false;
      for (const Index up : {0, 1})
        for (const Index left : {0, 1}) found |= image[0](y, x) == level_below(slope_plane()(y - up, x - left));
      ASSERT_TRUE(found) << y << ", " << x;
    }
}

TEST(GlassBlur, MovesTheChannelsOfAPixelTogether) {
  Image image{slope_plane(), slope_plane(), slope_plane()};
  Random random(1);
  glass_blur(image, 5, random);
  EXPECT_EQ(image[0].values, image[1].values);
  EXPECT_EQ(image[0].values, image[2].values);
}

TEST(ZoomBlur, LeavesTheMiddleInPlace) {
  Image image{dot_plane()};
  Random random(1);
  zoom_blur(image, 5, random);
  EXPECT_EQ(std::ranges::max_element(image[0].values) - image[0].values.begin(), 16 * 33 + 16);
}

}  // namespace
}  // namespace stad::corruption
