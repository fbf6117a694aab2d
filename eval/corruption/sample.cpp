#include "corruption/sample.hpp"

#include <cmath>

namespace stad::corruption {
namespace {

/// Along one side: `place` of the enlarged middle, as a place of the whole.
class Enlargement {
 public:
  Enlargement(Index length, double factor) {
    const auto middle = static_cast<Index>(std::ceil(static_cast<double>(length) / factor));
    const auto enlarged = static_cast<Index>(std::nearbyint(static_cast<double>(middle) * factor));
    start_ = (length - middle) / 2;
    cut_ = (enlarged - length) / 2;
    step_ = static_cast<double>(middle - 1) / static_cast<double>(enlarged - 1);  // corners stay corners
  }

  double operator()(Index place) const {
    return static_cast<double>(start_) + static_cast<double>(place + cut_) * step_;
  }

 private:
  Index start_ = 0;
  Index cut_ = 0;
  double step_ = 1;
};

}  // namespace

float sample(const Plane& plane, double y, double x, Border border) {
  const auto top = static_cast<Index>(std::floor(y));
  const auto left = static_cast<Index>(std::floor(x));
  const auto down = static_cast<float>(y - static_cast<double>(top));
  const auto right = static_cast<float>(x - static_cast<double>(left));
  const Index rows[] = {inside(top, plane.height, border), inside(top + 1, plane.height, border)};
  const Index columns[] = {inside(left, plane.width, border), inside(left + 1, plane.width, border)};
  const auto across = [&](Index row) { return (1 - right) * plane(row, columns[0]) + right * plane(row, columns[1]); };
  return (1 - down) * across(rows[0]) + down * across(rows[1]);
}

Plane zoomed(const Plane& plane, double factor) {
  const Enlargement vertical(plane.height, factor);
  const Enlargement horizontal(plane.width, factor);
  Plane result(plane.height, plane.width);
  for (Index y = 0; y < plane.height; ++y)
    for (Index x = 0; x < plane.width; ++x) result(y, x) = sample(plane, vertical(y), horizontal(x), Border::kNearest);
  return result;
}

}  // namespace stad::corruption
