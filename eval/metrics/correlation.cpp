#include <algorithm>
#include <numeric>

#include <stad/eval/statistics.hpp>

#include "base/check.hpp"
#include "math/eigen.hpp"
#include "metrics/all_finite.hpp"

namespace stad {
namespace {

constexpr std::size_t kFewestPairs = 3;  // two points are always on a line

/// Scaled before and after it is centred: squares then neither overflow nor vanish, and equal values, being exactly 1
/// or -1, have exactly no deviation. Empty without variance.
std::optional<Eigen::VectorXd> standardised(std::span<const double> values) {
  Eigen::ArrayXd z = as_array(values);
  if (const double largest = z.abs().maxCoeff(); largest > 0) z /= largest;
  z -= z.mean();
  const double widest = z.abs().maxCoeff();
  if (widest == 0) return std::nullopt;
  return (z / widest).matrix().normalized();
}

/// 1 .. n; equal values share the mean of the ranks they take up.
std::vector<double> ranks(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> result(values.size());
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    while (last < order.size() && values[order[last]] == values[order[first]]) ++last;
    for (std::size_t i = first; i < last; ++i) result[order[i]] = static_cast<double>(first + 1 + last) / 2;
  }
  return result;
}

}  // namespace

std::optional<double> correlation(std::span<const double> x, std::span<const double> y) {
  STAD_CHECK(x.size() == y.size() && all_finite(x) && all_finite(y));
  if (x.size() < kFewestPairs) return std::nullopt;
  const auto u = standardised(x), v = standardised(y);
  if (!u || !v) return std::nullopt;
  return std::clamp(u->dot(*v), -1.0, 1.0);
}

std::optional<double> rank_correlation(std::span<const double> x, std::span<const double> y) {
  STAD_CHECK(all_finite(x) && all_finite(y));
  return correlation(ranks(x), ranks(y));
}

}  // namespace stad
