#include "corruption/poisson.hpp"

#include <cmath>
#include <vector>

namespace stad::corruption {
namespace {

/// log(n!), for n up to the largest mean.
double log_factorial(Index n) {
  static const auto kTable = [] {
    std::vector<double> table{0};
    for (Index i = 1; i <= kLargestPoissonMean; ++i) table.push_back(table.back() + std::log(static_cast<double>(i)));
    return table;
  }();
  return kTable[static_cast<std::size_t>(n)];
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
  for (left -= at_below; left >= 0; left -= at_above) {
    at_below *= static_cast<double>(below) / mean;  // zero once there is nothing below
    if ((left -= at_below) < 0) return below - 1;
    below = below > 0 ? below - 1 : 0;
    at_above *= mean / static_cast<double>(++above);
    if (at_above <= 0) return likeliest;  // what rounding left over
  }
  return above;
}

}  // namespace stad::corruption
