#include <algorithm>
#include <cmath>
#include <numeric>

#include <stad/eval/statistics.hpp>

#include "base/check.hpp"
#include "metrics/all_finite.hpp"

namespace stad {
namespace {

/// From the first value on, so that equal values have exactly their own mean and no deviation.
double mean_of(std::span<const double> values) {
  const double first = values.front();
  const double beyond =
      std::accumulate(values.begin(), values.end(), 0.0, [&](double sum, double x) { return sum + (x - first); });
  return first + beyond / static_cast<double>(values.size());
}

double deviation_from(double mean, std::span<const double> values) {
  if (values.size() < 2) return 0;
  double squares = 0;
  for (const double x : values) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double lowest_tenth(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  return mean_of(std::span(sorted).first((sorted.size() + 9) / 10));
}

}  // namespace

Summary summarise(std::span<const double> values) {
  STAD_CHECK(all_finite(values));
  if (values.empty()) return {};
  const double mean = mean_of(values);
  return {static_cast<Index>(values.size()), mean, deviation_from(mean, values), lowest_tenth(values)};
}

}  // namespace stad
