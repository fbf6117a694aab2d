#include <algorithm>
#include <cmath>

#include <stad/eval/statistics.hpp>

#include "base/check.hpp"
#include "base/random.hpp"

namespace stad {
namespace {

constexpr double kTail = 0.025;  // on either side of a 95 % interval

struct Step {
  double samples = 0;
  double gain = 0;  ///< correct of b minus correct of a
};

std::vector<Step> with_samples(std::span<const PairedStep> steps) {
  std::vector<Step> kept;
  for (const auto& step : steps) {
    STAD_CHECK(step.samples >= 0 && std::isfinite(step.correct_a) && std::isfinite(step.correct_b));
    if (step.samples > 0) kept.push_back({static_cast<double>(step.samples), step.correct_b - step.correct_a});
  }
  return kept;
}

/// Means over seeds do not cancel to the last bit. What is far below one answer in any stream counts as none, or
/// rounding would decide which method is ahead.
double pooled(const Step& sum) {
  const double difference = sum.gain / sum.samples;
  return std::abs(difference) < 1e-13 ? 0 : difference;
}

double observed(std::span<const Step> steps) {
  Step sum;
  for (const auto& step : steps) sum = {sum.samples + step.samples, sum.gain + step.gain};
  return pooled(sum);
}

/// Ascending.
std::vector<double> resampled(std::span<const Step> steps, std::uint64_t seed, Index resamples) {
  Random random(seed);
  std::vector<double> differences(static_cast<std::size_t>(resamples));
  std::vector<Step> drawn(steps.size());
  for (double& difference : differences) {
    for (auto& step : drawn) step = steps[random.below(steps.size())];
    difference = observed(drawn);
  }
  std::sort(differences.begin(), differences.end());
  return differences;
}

/// Linear between the two nearest of the sorted values.
double quantile(std::span<const double> sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

/// Twice the smaller tail. The observed sample counts as one more resample in either, so that no finite number of
/// them ever claims p = 0 (Davison and Hinkley 1997, chapter 4).
double two_sided(std::span<const double> sorted, std::size_t steps) {
  const auto not_above = std::upper_bound(sorted.begin(), sorted.end(), 0.0) - sorted.begin();
  const auto not_below = sorted.end() - std::lower_bound(sorted.begin(), sorted.end(), 0.0);
  const auto smaller = static_cast<double>(std::min(not_above, not_below));
  const double share = 2 * (smaller + 1) / static_cast<double>(sorted.size() + 1);
  // A few steps that happen to agree look certain to the bootstrap. Under no difference each could as well have had
  // the other sign, so all of them agree by chance with this probability: p is never below it.
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
