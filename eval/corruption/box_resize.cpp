#include "corruption/box_resize.hpp"

#include <algorithm>
#include <cmath>

namespace stad::corruption {
namespace {

struct Run {
  Index first = 0;
  Index end = 0;
};

/// Which old places along one side make each new one.
std::vector<Run> runs(Index before, Index after) {
  const double scale = static_cast<double>(before) / static_cast<double>(after);
  const double reach = std::max(scale, 1.0) / 2;
  std::vector<Run> result;
  for (Index i = 0; i < after; ++i) {
    const double centre = (static_cast<double>(i) + 0.5) * scale;
    const auto edge = [&](double place) {
      return std::clamp<Index>(static_cast<Index>(std::floor(place + 0.5)), 0, before);
    };
    result.push_back({edge(centre - reach), edge(centre + reach)});
  }
  return result;
}

Plane resized_rows(const Plane& plane, Index width) {
  const auto sources = runs(plane.width, width);
  Plane result(plane.height, width);
  for (Index y = 0; y < plane.height; ++y)
    for (Index x = 0; x < width; ++x) {
      const Run run = sources[static_cast<std::size_t>(x)];
      float sum = 0;
      for (Index i = run.first; i < run.end; ++i) sum += plane(y, i);
      result(y, x) = nearest_level(sum / static_cast<float>(run.end - run.first));
    }
  return result;
}

}  // namespace

Plane box_resized(const Plane& plane, Index height, Index width) {
  return transposed(resized_rows(transposed(resized_rows(plane, width)), height));
}

}  // namespace stad::corruption
