#include "corruption/poisson.hpp"

#include <cmath>
#include <vector>

namespace stad::corruption {
namespace {

/// log(n!), for n up to the largest mean.
double log_factorial(Index n) {
  static const auto logarithms = [] {
    std::vector<double> sums{0};
    for (Index i = 1; i <= kLargestPoissonMean; ++i) sums.push_back(sums.back() + std::log(static_cast<double>(i)));
    return sums;
  }();
  return logarithms[static_cast<std::size_t>(n)];
}

double probability(Index count, double mean) {
  return std::exp(static_cast<double>(count) * std::log(mean) - mean - log_factorial(count));
}

}  // namespace

Index poisson(double mean, Random& random) {
  double left = random.uniform();
  if (mean <= 0) return 0;
  // Inversion, with the counts taken in turn from the likeliest outwards.
  const auto likeliest = static_cast<Index>(mean);
  Index below = likeliest;
  Index above = likeliest;
  double at_below = probability(likeliest, mean);
  double at_above = at_below;
  left -= at_below;
  while (left >= 0) {
    at_below *= static_cast<double>(below) / mean;  // zero once there is nothing below
    if ((left -= at_below) < 0) return below - 1;
    below = below > 0 ? below - 1 : 0;
    at_above *= mean / static_cast<double>(++above);
    if (at_above <= 0) return likeliest;  // what rounding left over
    left -= at_above;
  }
  return above;
}

}  // namespace stad::corruption
