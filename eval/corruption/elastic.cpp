#include <algorithm>

#include "corruption/digital.hpp"
#include "corruption/gaussian_blur.hpp"
#include "corruption/sample.hpp"
#include "corruption/severity.hpp"

namespace stad::corruption {
namespace {

/// In shares of the image's side.
struct Elasticity {
  double shift;
  double smoothness;
  double jitter;
};

struct Point {
  double y;
  double x;
};

/// A map of the plane onto itself that keeps lines straight, given by where it takes three points.
class AffineMap {
 public:
  AffineMap(const Point (&from)[3], const Point (&to)[3]) : origin_(from[0]), image_(to[0]) {
    const Point u = difference(from[1], from[0]);
    const Point v = difference(from[2], from[0]);
    const Point mapped_u = difference(to[1], to[0]);
    const Point mapped_v = difference(to[2], to[0]);
    const double area = u.y * v.x - u.x * v.y;
    along_y_ = {(mapped_u.y * v.x - mapped_v.y * u.x) / area, (mapped_u.x * v.x - mapped_v.x * u.x) / area};
    along_x_ = {(mapped_v.y * u.y - mapped_u.y * v.y) / area, (mapped_v.x * u.y - mapped_u.x * v.y) / area};
  }

  Point operator()(Point point) const {
    const Point step = difference(point, origin_);
    return {image_.y + step.y * along_y_.y + step.x * along_x_.y, image_.x + step.y * along_y_.x + step.x * along_x_.x};
  }

 private:
  static Point difference(Point a, Point b) { return {a.y - b.y, a.x - b.x}; }

  Point origin_;
  Point image_;
  Point along_y_;
  Point along_x_;
};

/// Three corners of a square in the middle, each moved at random; the map leads from the new image to the old.
AffineMap jittered(const Plane& plane, double jitter, Random& random) {
  const Index third = std::min(plane.height, plane.width) / 3;
  const Index middle[] = {plane.height / 2, plane.width / 2};
  const auto reach = static_cast<double>(third);
  const auto y = static_cast<double>(middle[0]);
  const auto x = static_cast<double>(middle[1]);
  const Point before[3] = {{y + reach, x + reach}, {y - reach, x + reach}, {y - reach, x - reach}};
  Point after[3] = {};
  for (int i = 0; i < 3; ++i)
    after[i] = {before[i].y + jitter * (2 * random.uniform() - 1), before[i].x + jitter * (2 * random.uniform() - 1)};
  return {after, before};
}

Plane warped(const Plane& plane, const AffineMap& map) {
  Plane result(plane.height, plane.width);
  for (Index y = 0; y < plane.height; ++y)
    for (Index x = 0; x < plane.width; ++x) {
      const Point from = map({static_cast<double>(y), static_cast<double>(x)});
      result(y, x) = sample(plane, from.y, from.x, Border::kMirror);
    }
  return result;
}

Plane smooth_shifts(const Plane& plane, double shift, double smoothness, Random& random) {
  Plane shifts(plane.height, plane.width);
  for (float& value : shifts.values) value = static_cast<float>(2 * random.uniform() - 1);
  if (shift > 0) shifts = gaussian_blur(shifts, smoothness, 3, Border::kReflect);
  for (float& value : shifts.values) value *= static_cast<float>(shift);
  return shifts;
}

Plane shifted(const Plane& plane, const Plane& down, const Plane& right) {
  Plane result(plane.height, plane.width);
  for (Index y = 0; y < plane.height; ++y)
    for (Index x = 0; x < plane.width; ++x)
      result(y, x) = sample(plane, static_cast<double>(y) + static_cast<double>(down(y, x)),
                            static_cast<double>(x) + static_cast<double>(right(y, x)), Border::kReflect);
  return result;
}

}  // namespace

void elastic_transform(Image& image, int severity, Random& random) {
  const auto share =
      at_severity<Elasticity>({{0, 0, .08}, {.05, .2, .07}, {.08, .06, .06}, {.1, .04, .05}, {.1, .03, .03}}, severity);
  const auto side = static_cast<double>(std::min(image[0].height, image[0].width));
  const AffineMap map = jittered(image[0], side * share.jitter, random);
  const Plane right = smooth_shifts(image[0], side * share.shift, side * share.smoothness, random);
  const Plane down = smooth_shifts(image[0], side * share.shift, side * share.smoothness, random);
  for (auto& plane : image) plane = shifted(warped(plane, map), down, right);
}

}  // namespace stad::corruption
