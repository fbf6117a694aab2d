#include "reference/safe_background.hpp"

#include <algorithm>
#include <cmath>

namespace stad::reference {
namespace {

double normal_density(double value, double mean, double spread) {
  const double distance = (value - mean) / spread;
  return std::exp(-distance * distance / 2) / spread;
}

}  // namespace

double BackgroundJudge::observe(double fit) {
  const auto bins = static_cast<double>(fits.size());
  fits *= std::exp(-1.0 / 1000);
  fits[static_cast<Eigen::Index>(std::clamp(std::floor((fit + 1) / 2 * bins), 0.0, bins - 1))] += 1;
  const double answer = unknown(fit);
  share.add(answer);
  return answer;
}

double BackgroundJudge::quantile(double below) const {
  const double wanted = below * fits.sum();
  double passed = 0;
  Eigen::Index bin = 0;
  while (bin + 1 < fits.size() && passed + fits[bin] < wanted) passed += fits[bin++];
  return -1 + 2 * (static_cast<double>(bin) + (wanted - passed) / fits[bin]) / static_cast<double>(fits.size());
}

double BackgroundJudge::unknown(double fit) const {
  if (fits.sum() < 50) return 0;
  const double median = quantile(0.5);
  const double spread = std::max((median - quantile(0.4)) / 0.2533471031357997, 2.0 / 128);
  // The background is three spreads below and half as broad again; above 2.4 spreads its tail would catch up.
  const double judged = std::min(fit, median + 2.4 * spread);
  const double p = std::clamp(share.value(), 0.01, 0.5);
  const double background = p * normal_density(judged, median - 3 * spread, 1.5 * spread);
  const double known = (1 - p) * normal_density(judged, median, spread);
  return known > 0 ? background / (background + known) : 1;
}

}  // namespace stad::reference
