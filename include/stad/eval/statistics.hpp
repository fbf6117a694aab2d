#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

// What a comparison of methods is reported with. Every number given must be finite.

namespace stad {

/// Several values in four figures.
struct Summary {
  Index count = 0;
  double mean = 0;
  double deviation = 0;    ///< sample standard deviation (n - 1); 0 for one value
  double worst_tenth = 0;  ///< mean of the lowest tenth of the values, rounded up to whole values
};

/// All zero for no values.
STAD_API Summary summarise(std::span<const double> values);

/// Pearson's correlation of pairs; none for fewer than three, or where one side has no variance.
STAD_API std::optional<double> correlation(std::span<const double> x, std::span<const double> y);

/// Spearman's: the correlation of the ranks, where ties share the mean of theirs.
STAD_API std::optional<double> rank_correlation(std::span<const double> x, std::span<const double> y);

/// Two methods on the samples of one time step.
struct PairedStep {
  Index samples = 0;
  double correct_a = 0;  ///< fractional where it is a mean over seeds
  double correct_b = 0;
};

/// Pooled accuracy of b minus that of a.
struct Difference {
  double mean = 0;  ///< over all steps as they are
  double low = 0;   ///< 95 % percentile interval
  double high = 0;
  double p_value = 1;  ///< two-sided; never below 2^(1 - steps), the chance that all steps agree
};

/// Draws whole steps with replacement, both methods together: samples of one step share its drift, so they are not
/// independent of each other. Steps without samples are left out; none for fewer than two others. The same seed
/// gives the same bits.
STAD_API std::optional<Difference> paired_bootstrap(std::span<const PairedStep> steps, std::uint64_t seed,
                                                    Index resamples = 10'000);

/// Holm's adjusted p values, in the order given: what is below alpha holds with a family-wise error of alpha.
STAD_API std::vector<double> holm(std::span<const double> p_values);

}  // namespace stad
