#include <stad/eval/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/check.hpp"
#include "base/random.hpp"
#include "math/eigen.hpp"

namespace stad {
namespace {

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// Sums differences from the first value, so that equal values have exactly that mean and no deviation.
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

namespace {

constexpr std::size_t kFewestPairs = 3;  // two points always correlate perfectly

/// Centres and scales to unit length. Scales by the largest magnitude before and after centring, so that squares
/// neither overflow nor underflow and equal values deviate by exactly zero. None without variance.
std::optional<Eigen::VectorXd> standardised(std::span<const double> values) {
  Eigen::ArrayXd z = as_array(values);
  if (const double largest = z.abs().maxCoeff(); largest > 0) z /= largest;
  z -= z.mean();
  const double widest = z.abs().maxCoeff();
  if (widest == 0) return std::nullopt;
  return (z / widest).matrix().normalized();
}

/// Ranks from 1 to n; equal values share the mean of their ranks.
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

std::vector<double> holm(std::span<const double> p_values) {
  STAD_CHECK(std::all_of(p_values.begin(), p_values.end(), [](double p) { return p >= 0 && p <= 1; }));
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });

  std::vector<double> adjusted(p_values.size());
  double largest = 0;  // adjusted p values must not decrease with the original ones
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, static_cast<double>(order.size() - i) * p_values[order[i]]);
    adjusted[order[i]] = std::min(1.0, largest);
  }
  return adjusted;
}

namespace {

constexpr double kTail = 0.025;  // each side of a 95 % interval

struct StepGain {
  double samples = 0;
  double gain = 0;  ///< correct of b minus correct of a
};

std::vector<StepGain> with_samples(std::span<const PairedStep> steps) {
  std::vector<StepGain> kept;
  for (const auto& step : steps) {
    STAD_CHECK(step.samples >= 0 && std::isfinite(step.correct_a) && std::isfinite(step.correct_b));
    if (step.samples > 0) kept.push_back({static_cast<double>(step.samples), step.correct_b - step.correct_a});
  }
  return kept;
}

/// Means over seeds do not cancel exactly. Differences far below one answer in any stream count as zero; otherwise
/// rounding would determine the sign.
double pooled(const StepGain& sum) {
  const double difference = sum.gain / sum.samples;
  return std::abs(difference) < 1e-13 ? 0 : difference;
}

double observed(std::span<const StepGain> steps) {
  StepGain sum;
  for (const auto& step : steps) sum = {sum.samples + step.samples, sum.gain + step.gain};
  return pooled(sum);
}

/// The differences of the resamples in ascending order.
std::vector<double> resampled(std::span<const StepGain> steps, std::uint64_t seed, Index resamples) {
  Random random(seed);
  std::vector<double> differences(static_cast<std::size_t>(resamples));
  std::vector<StepGain> drawn(steps.size());
  for (double& difference : differences) {
    for (auto& step : drawn) step = steps[random.below(steps.size())];
    difference = observed(drawn);
  }
  std::sort(differences.begin(), differences.end());
  return differences;
}

/// Quantile with linear interpolation.
double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

/// Two-sided p value: twice the smaller tail. The observed sample counts as one more resample in either tail, so that p
/// is never 0 (Davison and Hinkley 1997, chapter 4).
double two_sided(std::span<const double> sorted, std::size_t steps) {
  const auto not_above = std::upper_bound(sorted.begin(), sorted.end(), 0.0) - sorted.begin();
  const auto not_below = sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), 0.0);
  const auto smaller = static_cast<double>(std::min(not_above, not_below));
  const double share = 2 * (smaller + 1) / static_cast<double>(sorted.size() + 1);
  // The bootstrap of a few steps of equal sign gives p near 0. Under the null hypothesis all signs agree with this
  // probability, which is therefore a lower bound of p.
  const double agreement = std::ldexp(2.0, -static_cast<int>(std::min<std::size_t>(steps, 1000)));
  return std::min(1.0, std::max(share, agreement));
}

}  // namespace

std::optional<Difference> paired_bootstrap(std::span<const PairedStep> steps, std::uint64_t seed, Index resamples) {
  STAD_CHECK(resamples >= 1);
  const auto kept = with_samples(steps);
  if (kept.size() < 2) return std::nullopt;
  const auto sorted = resampled(kept, seed, resamples);
  return Difference{observed(kept), quantile(sorted, kTail), quantile(sorted, 1 - kTail),
                    two_sided(sorted, kept.size())};
}

}  // namespace stad
