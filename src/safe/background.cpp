#include "safe/background.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "math/eigen.hpp"

namespace stad::safe {
namespace {

constexpr Index kBins = 128;
constexpr double kBinWidth = 2.0 / kBins;

// Of the known rows, whose fits would be normally distributed: the spread is told by a quantile below their median,
// which a few unknown rows hardly move, and not by one above, for fits end at 1 and lean towards it.
constexpr double kLowerShare = 0.4;
constexpr double kLowerDistance = 0.2533471031357997;  // in spreads, of a normal distribution
constexpr double kLeastSpread = kBinWidth;

// The background in terms of them: this many spreads below their median, and so many times as broad.
constexpr double kBackgroundBelow = 3;
constexpr double kBackgroundBreadth = 1.5;
// From here on upwards the background, which is broader, would grow likelier again.
constexpr double kBestFit = -kBackgroundBelow / (kBackgroundBreadth * kBackgroundBreadth - 1);

constexpr double kMostShare = 0.5;
constexpr double kLeastRows = 50;  // before, nobody is called unknown

Index bin_of(double fit) { return std::clamp(static_cast<Index>((fit + 1) / kBinWidth), Index{0}, kBins - 1); }

}  // namespace

Background::Background() : fits_(static_cast<std::size_t>(kBins), 0.0) {}

double Background::observe(double fit) {
  as_array(std::span(fits_)) *= kKeptByJudges;
  fits_[bin_of(fit)] += 1;
  const double answer = unknown(fit);
  share_.add(answer);
  return answer;
}

double Background::quantile(double share_below) const {
  double left = share_below * std::accumulate(fits_.begin(), fits_.end(), 0.0);
  Index bin = 0;
  while (bin + 1 < kBins && left > fits_[bin]) left -= fits_[bin++];
  const double inside = fits_[bin] > 0 ? std::min(left / fits_[bin], 1.0) : 0;
  return -1 + kBinWidth * (static_cast<double>(bin) + inside);
}

double Background::unknown(double fit) const {
  if (std::accumulate(fits_.begin(), fits_.end(), 0.0) < kLeastRows) return 0;
  const double median = quantile(0.5);
  const double spread = std::max((median - quantile(kLowerShare)) / kLowerDistance, kLeastSpread);
  const double below = std::max((median - fit) / spread, kBestFit);
  const double beside = (kBackgroundBelow - below) / kBackgroundBreadth;
  const double share = std::clamp(share_.value(), kFirstShare, kMostShare);
  const double log_odds =
      std::log(share / (1 - share)) - std::log(kBackgroundBreadth) + (below * below - beside * beside) / 2;
  return 1 / (1 + std::exp(-log_odds));
}

}  // namespace stad::safe
