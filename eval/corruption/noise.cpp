#include "corruption/corruption.hpp"

#include <cmath>
#include <vector>

namespace stad::corruption {
namespace {

/// log(n!), for n up to kLargestPoissonMean.
double log_factorial(Index n) {
  static const auto logarithms = [] {
    std::vector<double> sums{0};
    for (Index i = 1; i <= kLargestPoissonMean; ++i) sums.push_back(sums.back() + std::log(static_cast<double>(i)));
    return sums;
  }();
  return logarithms[static_cast<std::size_t>(n)];
}

double poisson_probability(Index count, double mean) {
  return std::exp(static_cast<double>(count) * std::log(mean) - mean - log_factorial(count));
}

}  // namespace

Index poisson(double mean, Random& random) {
  double left = random.uniform();
  if (mean <= 0) return 0;
  // Inversion that visits the counts from the most likely outwards.
  const auto likeliest = static_cast<Index>(mean);
  Index below = likeliest;
  Index above = likeliest;
  double at_below = poisson_probability(likeliest, mean);
  double at_above = at_below;
  left -= at_below;
  while (left >= 0) {
    at_below *= static_cast<double>(below) / mean;  // becomes zero after count 0
    if ((left -= at_below) < 0) return below - 1;
    below = below > 0 ? below - 1 : 0;
    at_above *= mean / static_cast<double>(++above);
    if (at_above <= 0) return likeliest;  // probability lost to rounding
    left -= at_above;
  }
  return above;
}

void gaussian_noise(Image& image, int severity, Random& random) {
  const double deviation = at_severity({.04, .06, .08, .09, .10}, severity);
  for_each_value(image, [&](float value) { return value + static_cast<float>(deviation * random.normal()); });
}

void shot_noise(Image& image, int severity, Random& random) {
  const double photons = at_severity({500., 250., 100., 75., 50.}, severity);
  for_each_value(image, [&](float value) {
    return static_cast<float>(static_cast<double>(poisson(photons * static_cast<double>(value), random)) / photons);
  });
}

void impulse_noise(Image& image, int severity, Random& random) {
  const double share = at_severity({.01, .02, .03, .05, .07}, severity);
  for_each_value(image, [&](float value) {
    const double drawn = random.uniform();
    if (drawn >= share) return value;
    return drawn < share / 2 ? 0.0F : 1.0F;
  });
}

}  // namespace stad::corruption
