#include "projection/affinities.hpp"

#include <cmath>
#include <limits>

#include "base/parallel.hpp"

namespace stad {
namespace {

using Eigen::ArrayXd;

constexpr int kMostBisections = 100;         // of the bisection; tied distances may have no solution
constexpr double kEntropyTolerance = 1e-10;  // absolute in entropy, which is relative in perplexity
constexpr Index kExponentialCost = 1000;     // multiplications a value: about 40 steps of one exponential each

/// Sets p proportional to exp(-precision d) and returns its entropy. The smallest d is zero, so the sum is at least 1.
double entropy_at(double precision, const ArrayXd& d, ArrayXd& p) {
  p = (-precision * d).exp();
  const double sum = p.sum();
  p /= sum;
  return std::log(sum) + precision * (p * d).sum();
}

/// Finds p of this entropy by bisection: the entropy decreases with the precision.
ArrayXd with_entropy(double entropy, const ArrayXd& d) {
  ArrayXd p(d.size());
  double low = 0, high = std::numeric_limits<double>::infinity(), precision = 1;
  for (int step = 0; step < kMostBisections; ++step) {
    const double excess = entropy_at(precision, d, p) - entropy;
    if (std::abs(excess) < kEntropyTolerance) break;
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
      // p does not depend on the smallest distance. Dividing by the mean puts the solution near the start of the
      // search.
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
