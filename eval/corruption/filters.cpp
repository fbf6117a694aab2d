#include "corruption/filters.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stad::corruption {
namespace {

/// Maps a coordinate of the enlarged middle to a coordinate of the whole, along one axis.
class AxisZoom {
 public:
  AxisZoom(Index length, double factor) {
    const auto middle = static_cast<Index>(std::ceil(static_cast<double>(length) / factor));
    const auto enlarged = static_cast<Index>(std::nearbyint(static_cast<double>(middle) * factor));
    start_ = (length - middle) / 2;
    cut_ = (enlarged - length) / 2;
    step_ = static_cast<double>(middle - 1) / static_cast<double>(enlarged - 1);  // corners map to corners
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
  const AxisZoom vertical(plane.height, factor);
  const AxisZoom horizontal(plane.width, factor);
  Plane result(plane.height, plane.width);
  for (Index y = 0; y < plane.height; ++y)
    for (Index x = 0; x < plane.width; ++x) result(y, x) = sample(plane, vertical(y), horizontal(x), Border::kNearest);
  return result;
}

namespace {

/// Range [first, end) of old pixels that make one new pixel.
struct PixelRange {
  Index first = 0;
  Index end = 0;
};

/// The range of old pixels for each new one, along one axis.
std::vector<PixelRange> source_ranges(Index before, Index after) {
  const double scale = static_cast<double>(before) / static_cast<double>(after);
  const double reach = std::max(scale, 1.0) / 2;
  std::vector<PixelRange> result;
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
  const auto sources = source_ranges(plane.width, width);
  Plane result(plane.height, width);
  for (Index y = 0; y < plane.height; ++y)
    for (Index x = 0; x < width; ++x) {
      const PixelRange run = sources[static_cast<std::size_t>(x)];
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

namespace {

/// Weights from -radius to radius with sum 1.
std::vector<float> gaussian_weights(double deviation, Index radius) {
  const auto weight = [&](Index i) {
    const double distance = static_cast<double>(i) / deviation;
    return std::exp(-distance * distance / 2);
  };
  double sum = 0;
  for (Index i = -radius; i <= radius; ++i) sum += weight(i);
  std::vector<float> weights(static_cast<std::size_t>(2 * radius + 1));
  for (Index i = -radius; i <= radius; ++i)
    weights[static_cast<std::size_t>(i + radius)] = static_cast<float>(weight(i) / sum);
  return weights;
}

Plane blur_rows(const Plane& plane, const std::vector<float>& weights, Border border) {
  const auto radius = static_cast<Index>(weights.size() / 2);
  Plane result(plane.height, plane.width);
  for (Index y = 0; y < plane.height; ++y)
    for (Index x = 0; x < plane.width; ++x)
      for (Index i = -radius; i <= radius; ++i)
        result(y, x) += weights[static_cast<std::size_t>(i + radius)] * plane(y, inside(x + i, plane.width, border));
  return result;
}

}  // namespace

Plane gaussian_blur(const Plane& plane, double deviation, double truncate, Border border) {
  const auto radius = static_cast<Index>(std::floor(truncate * deviation + 0.5));
  if (radius == 0) return plane;
  const auto weights = gaussian_weights(deviation, radius);
  return transposed(blur_rows(transposed(blur_rows(plane, weights, border)), weights, border));
}

namespace {

/// Disk of odd sides and sum 1, with a margin of one pixel for the smoothing.
Plane disk_kernel(double radius) {
  const auto half = static_cast<Index>(std::ceil(radius)) + 1;
  Plane kernel(2 * half + 1, 2 * half + 1);
  float sum = 0;
  for (Index y = -half; y <= half; ++y)
    for (Index x = -half; x <= half; ++x)
      if (static_cast<double>(y * y + x * x) <= radius * radius) sum += kernel(y + half, x + half) = 1;
  for (float& value : kernel.values) value /= sum;
  return kernel;
}

Plane gaussian_of_three(double deviation) {
  const double side = std::exp(-1 / (2 * deviation * deviation));
  const double weights[] = {side / (1 + 2 * side), 1 / (1 + 2 * side), side / (1 + 2 * side)};
  Plane kernel(3, 3);
  for (Index y = 0; y < 3; ++y)
    for (Index x = 0; x < 3; ++x) kernel(y, x) = static_cast<float>(weights[y] * weights[x]);
  return kernel;
}

Plane filtered(const Plane& plane, const Plane& kernel) {
  const Index half = kernel.height / 2;
  Plane result(plane.height, plane.width);
  for (Index v = -half; v <= half; ++v)
    for (Index u = -half; u <= half; ++u) {
      const float weight = kernel(v + half, u + half);
      if (weight == 0) continue;
      for (Index y = 0; y < plane.height; ++y)
        for (Index x = 0; x < plane.width; ++x)
          result(y, x) +=
              weight * plane(inside(y + v, plane.height, Border::kMirror), inside(x + u, plane.width, Border::kMirror));
    }
  return result;
}

}  // namespace

Plane disk_blur(const Plane& plane, double radius, double edge_deviation) {
  return filtered(plane, filtered(disk_kernel(radius), gaussian_of_three(edge_deviation)));
}

namespace {

/// One tap of a motion kernel: offset and weight.
struct KernelTap {
  Index y = 0;
  Index x = 0;
  double weight = 0;
};

/// The taps of a motion kernel, with weights of sum 1.
std::vector<KernelTap> motion_taps(Index radius, double deviation, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  std::vector<KernelTap> taps;
  double sum = 0;
  for (Index i = 0; i <= 2 * radius; ++i) {
    const auto distance = static_cast<double>(i);
    const double weight = std::exp(-distance * distance / (2 * deviation * deviation));
    taps.push_back({static_cast<Index>(std::ceil(distance * std::sin(angle) - 0.5)),
                    static_cast<Index>(std::ceil(distance * std::cos(angle) - 0.5)), weight});
    sum += weight;
  }
  for (auto& tap : taps) tap.weight /= sum;
  return taps;
}

}  // namespace

Plane motion_blur(const Plane& plane, Index radius, double deviation, double degrees) {
  const auto taps = motion_taps(radius, deviation, degrees);
  Plane result(plane.height, plane.width);
  for (Index y = 0; y < plane.height; ++y)
    for (Index x = 0; x < plane.width; ++x) {
      double sum = 0;
      for (const auto& tap : taps)
        sum += tap.weight * static_cast<double>(plane(inside(y + tap.y, plane.height, Border::kNearest),
                                                      inside(x + tap.x, plane.width, Border::kNearest)));
      result(y, x) = nearest_level(static_cast<float>(sum));
    }
  return result;
}

}  // namespace stad::corruption
