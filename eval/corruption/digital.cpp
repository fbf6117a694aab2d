#include "corruption/corruption.hpp"

#include <algorithm>
#include <numeric>

#include "corruption/filters.hpp"
#include "corruption/jpeg.hpp"

namespace stad::corruption {

void contrast(Image& image, int severity, Random&) {
  const float share = at_severity({.75F, .5F, .4F, .3F, .15F}, severity);
  for (auto& plane : image) {
    const double sum = std::accumulate(plane.values.begin(), plane.values.end(), 0.0);
    const auto mean = static_cast<float>(sum / static_cast<double>(plane.values.size()));
    for (float& value : plane.values) value = (value - mean) * share + mean;
  }
}

void pixelate(Image& image, int severity, Random&) {
  const double share = at_severity({.95, .9, .85, .75, .65}, severity);
  const auto shrunk = [&](Index side) { return static_cast<Index>(static_cast<double>(side) * share); };
  for (auto& plane : image) {
    const Plane small = box_resized(plane, shrunk(plane.height), shrunk(plane.width));
    plane = box_resized(small, plane.height, plane.width);
  }
}

void jpeg_compression(Image& image, int severity, Random&) {
  image = jpeg_round_trip(image, at_severity({80, 65, 58, 50, 40}, severity));
}

namespace {

/// Parameters as fractions of the shorter side of the image.
struct Elasticity {
  double shift;
  double smoothness;
  double jitter;
};

struct PixelPosition {
  double y;
  double x;
};

/// Affine map of the plane, defined by the images of three points.
class AffineMap {
 public:
  AffineMap(const PixelPosition (&from)[3], const PixelPosition (&to)[3]) : origin_(from[0]), image_(to[0]) {
    const PixelPosition u = difference(from[1], from[0]);
    const PixelPosition v = difference(from[2], from[0]);
    const PixelPosition mapped_u = difference(to[1], to[0]);
    const PixelPosition mapped_v = difference(to[2], to[0]);
    const double area = u.y * v.x - u.x * v.y;
    along_y_ = {(mapped_u.y * v.x - mapped_v.y * u.x) / area, (mapped_u.x * v.x - mapped_v.x * u.x) / area};
    along_x_ = {(mapped_v.y * u.y - mapped_u.y * v.y) / area, (mapped_v.x * u.y - mapped_u.x * v.y) / area};
  }

  PixelPosition operator()(PixelPosition point) const {
    const PixelPosition step = difference(point, origin_);
    return {image_.y + step.y * along_y_.y + step.x * along_x_.y, image_.x + step.y * along_y_.x + step.x * along_x_.x};
  }

 private:
  static PixelPosition difference(PixelPosition a, PixelPosition b) { return {a.y - b.y, a.x - b.x}; }

  PixelPosition origin_;
  PixelPosition image_;
  PixelPosition along_y_;
  PixelPosition along_x_;
};

/// Moves three corners of a square in the middle at random. Maps positions of the new image to the old one.
AffineMap jittered(const Plane& plane, double jitter, Random& random) {
  const Index third = std::min(plane.height, plane.width) / 3;
  const Index middle[] = {plane.height / 2, plane.width / 2};
  const auto reach = static_cast<double>(third);
  const auto y = static_cast<double>(middle[0]);
  const auto x = static_cast<double>(middle[1]);
  const PixelPosition before[3] = {{y + reach, x + reach}, {y - reach, x + reach}, {y - reach, x - reach}};
  PixelPosition after[3] = {};
  for (int i = 0; i < 3; ++i)
    after[i] = {before[i].y + jitter * (2 * random.uniform() - 1), before[i].x + jitter * (2 * random.uniform() - 1)};
  return {after, before};
}

Plane warped(const Plane& plane, const AffineMap& map) {
  Plane result(plane.height, plane.width);
  for (Index y = 0; y < plane.height; ++y)
    for (Index x = 0; x < plane.width; ++x) {
      const PixelPosition from = map({static_cast<double>(y), static_cast<double>(x)});
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
