#include "projection/affinities.hpp"

#include <cmath>
#include <limits>

#include "base/parallel.hpp"

namespace stad {
namespace {

using Eigen::ArrayXd;

constexpr int kMostSteps = 100;           // of the search; where distances tie there may be no answer
constexpr double kTolerance = 1e-10;      // of the entropy, and so of the relative perplexity
constexpr Index kExponentialCost = 1000;  // of one value of a row: about 40 steps of an exponential each

/// Sets p ~ exp(-precision d) and returns its entropy. The least of d is zero, so the sum is at least 1.
double entropy_at(double precision, const ArrayXd& d, ArrayXd& p) {
  p = (-precision * d).exp();
  const double sum = p.sum();
  p /= sum;
  return std::log(sum) + precision * (p * d).sum();
}

/// Bisection: the entropy falls as the precision grows.
ArrayXd with_entropy(double entropy, const ArrayXd& d) {
  ArrayXd p(d.size());
  double low = 0, high = std::numeric_limits<double>::infinity(), precision = 1;
  for (int step = 0; step < kMostSteps; ++step) {
    const double excess = entropy_at(precision, d, p) - entropy;
    if (std::abs(excess) < kTolerance) break;
    (excess > 0 ? low : high) = precision;
    precision = std::isinf(high) ? 2 * precision : (low + high) / 2;
  }
  return p;
}

}  // namespace

DoubleRows squared_distances(const DoubleRows& points) {
  const Index n = points.rows();
  DoubleRows result(n, n);
  parallel_for_runs(n, points.size(), [&](Index first, Index length) {
    for (Index i = first; i < first + length; ++i)
      for (Index j = 0; j < n; ++j) result(i, j) = (points.row(i) - points.row(j)).squaredNorm();
  });
  return result;
}

DoubleRows conditional_affinities(const DoubleRows& squared_distances, double perplexity) {
  const Index n = squared_distances.rows();
  DoubleRows result = DoubleRows::Zero(n, n);
  parallel_for_runs(n, kExponentialCost * n, [&](Index first, Index length) {
    ArrayXd others(n - 1);
    for (Index i = first; i < first + length; ++i) {
      others.head(i) = squared_distances.row(i).head(i);
      others.tail(n - 1 - i) = squared_distances.row(i).tail(n - 1 - i);
      // The least distance cancels in p, and in units of the mean the search starts near its end at any scale.
      others -= others.minCoeff();
      if (const double mean = others.mean(); mean > 0) others /= mean;
      const ArrayXd p = with_entropy(std::log(perplexity), others);
      result.row(i).head(i) = p.head(i);
      result.row(i).tail(n - 1 - i) = p.tail(n - 1 - i);
    }
  });
  return result;
}

DoubleRows joint_affinities(const DoubleRows& conditional) {
  return (conditional + conditional.transpose()) / (2 * static_cast<double>(conditional.rows()));
}

}  // namespace stad
