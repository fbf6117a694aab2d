#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

// Statistics for comparisons of methods. All inputs must be finite.

namespace stad {

/// Summary of several values.
struct Summary {
  Index count = 0;
  double mean = 0;
  double deviation = 0;    ///< sample standard deviation (n - 1); 0 for one value
  double worst_tenth = 0;  ///< mean of the lowest tenth of the values, rounded up to whole values
};

/// Summarises values; all fields are zero for none.
STAD_API Summary summarise(std::span<const double> values);

/// Pearson correlation of pairs; none for fewer than three pairs or without variance on a side.
STAD_API std::optional<double> correlation(std::span<const double> x, std::span<const double> y);

/// Spearman correlation: the Pearson correlation of the ranks, with mean ranks for ties.
STAD_API std::optional<double> rank_correlation(std::span<const double> x, std::span<const double> y);

/// Correct predictions of two methods on one time step.
struct PairedStep {
  Index samples = 0;
  double correct_a = 0;  ///< fractional if it is a mean over seeds
  double correct_b = 0;
};

/// Pooled accuracy of b minus that of a.
struct Difference {
  double mean = 0;  ///< observed difference over all steps
  double low = 0;   ///< 95 % percentile interval
  double high = 0;
  double p_value = 1;  ///< two-sided; at least 2^(1 - steps), the probability that all signs agree by chance
};

/// Paired bootstrap over whole time steps, because samples of one step share its drift and are not independent. Steps
/// without samples are skipped; none for fewer than two steps with samples. Deterministic in the seed.
STAD_API std::optional<Difference> paired_bootstrap(std::span<const PairedStep> steps, std::uint64_t seed,
                                                    Index resamples = 10'000);

/// Adjusted p values by Holm, in the order of the input: rejecting those below alpha has a family-wise error of alpha.
STAD_API std::vector<double> holm(std::span<const double> p_values);

}  // namespace stad
