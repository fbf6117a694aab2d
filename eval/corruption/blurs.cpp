#include "corruption/corruption.hpp"

#include "corruption/filters.hpp"

namespace stad::corruption {
namespace {

struct DefocusParams {
  double radius;
  double edge_deviation;
};

struct GlassParams {
  double deviation;
  int passes;
};

struct MotionParams {
  Index radius;
  double deviation;
};

/// Replaces every pixel by itself or by a neighbour one step up, left or both. The published program intends to swap
/// the two pixels but overwrites the first before reading it, so its images contain copies. This does the same to stay
/// comparable.
void scatter(Image& image, Random& random) {
  for (Index y = image[0].height - 1; y > 1; --y)
    for (Index x = image[0].width - 1; x > 1; --x) {
      const auto left = static_cast<Index>(random.below(2));
      const auto up = static_cast<Index>(random.below(2));
      for (auto& plane : image) plane(y, x) = plane(y - up, x - left);
    }
}

void blur_planes(Image& image, double deviation) {
  for (auto& plane : image) plane = gaussian_blur(plane, deviation, 4, Border::kNearest);
}

}  // namespace

void defocus_blur(Image& image, int severity, Random&) {
  const auto defocus = at_severity<DefocusParams>({{.3, .4}, {.4, .5}, {.5, .6}, {1, .2}, {1.5, .1}}, severity);
  for (auto& plane : image) plane = disk_blur(plane, defocus.radius, defocus.edge_deviation);
}

void glass_blur(Image& image, int severity, Random& random) {
  const auto glass = at_severity<GlassParams>({{.05, 1}, {.25, 1}, {.4, 1}, {.25, 2}, {.4, 2}}, severity);
  blur_planes(image, glass.deviation);
  for_each_value(image, level_below);
  for (int pass = 0; pass < glass.passes; ++pass) scatter(image, random);
  blur_planes(image, glass.deviation);
}

void motion_blur(Image& image, int severity, Random& random) {
  const auto motion = at_severity<MotionParams>({{6, 1}, {6, 1.5}, {6, 2}, {8, 2}, {9, 2.5}}, severity);
  const double degrees = 90 * random.uniform() - 45;
  for (auto& plane : image) plane = motion_blur(plane, motion.radius, motion.deviation, degrees);
}

void zoom_blur(Image& image, int severity, Random&) {
  // Zoom factors from 1 in steps of 0.01. In the published program rounding adds one factor to the first two sets.
  const int zooms = at_severity({7, 12, 16, 21, 26}, severity);
  for (auto& plane : image) {
    Plane sum = plane;
    for (int zoom = 0; zoom < zooms; ++zoom) {
      const Plane layer = zoomed(plane, 1 + 0.01 * zoom);
      for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += layer.values[i];
    }
    for (float& value : sum.values) value /= static_cast<float>(zooms + 1);
    plane = std::move(sum);
  }
}

}  // namespace stad::corruption
