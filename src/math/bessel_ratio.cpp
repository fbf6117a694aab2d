#include "math/bessel_ratio.hpp"

#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace stad {

namespace {

/// From this size of s on, five terms of the series below reach double precision.
constexpr double kSeriesFrom = 128;

double hypotenuse(double a, double x) { return std::sqrt(a * a + x * x); }

// r = I_v / I_{v-1} solves r' = 1 - 2a r / x - r^2 with a = v - 1/2. Where it changes slowly it is near the root
// x / (s + a), s = sqrt(a^2 + x^2), of the right side, and what is missing is a series in 1/s whose coefficients are
// polynomials of t = a/s (docs/maths.md has the recursion that gives them). No branches: many at once make vectors.
[[gnu::always_inline]] inline double series_ratio(double a, double x, double s) {
  const double u = 1 / s;
  const double t = a * u;
  const double t2 = t * t;
  const double c2 = -0.5 + t * (0.125 + t * 0.625);
  const double c3 = -0.75 + t * (0.25 + t * (2.5625 + t * (-0.3125 - t * 1.875)));
  const double c4 = -1.5 + t * (0.5 + t * (9.75 + t * (-1.6015625 + t * (-16.8515625 + t * (1.1328125 + t * 8.6328125)))));
  const double c5 = -3.75 + t * (1.125 + t * 39.21875) +
                    t * t2 * (-6.65625 + t * (-117.18359375 + t * 11.00390625) +
                              t * t2 * (134.66796875 + t * (-5.48828125 - t * 52.96875)));
  const double correction = t * u * (-0.5 + u * (c2 + u * (c3 + u * (c4 + u * c5))));
  return x / (s + a) * (1 + correction);
}

// The Bessel functions themselves leave the range of double for D >= 64, so their ratio is never formed from them.
// Perron's continued fraction for I_v / I_{v-1} with v = D/2,
//
//   x / (2v + x - (2v+1)x / (2v+1 + 2x - (2v+3)x / (2v+2 + 2x - ...)))
//
// settles within a few dozen terms everywhere (Gauss' needs thousands at kappa = 1e6). It is summed forwards as a
// series (Gautschi and Slavik 1978): with the terms all of one sign nothing cancels.
double fraction_ratio(double v, double x) {
  double numerator = (2 * v + 1) * x;      // a_1 of the fraction's tail
  double denominator_before = 2 * v + x;   // b_0
  double denominator = 2 * v + 1 + 2 * x;  // b_1
  double ratio = 0;                        // of consecutive terms, shifted by one
  double term = 1;
  double sum = 1;
  constexpr int kMostTerms = 10'000;
  for (int n = 1; n < kMostTerms; ++n) {
    const double strength = numerator / (denominator_before * denominator);
    ratio = strength * (1 + ratio) / (1 - strength * (1 + ratio));
    term *= ratio;
    sum += term;
    if (term <= std::numeric_limits<double>::epsilon() * sum) break;
    numerator += 2 * x;
    denominator_before = denominator;
    denominator += 1;
  }
  return x / (2 * v + x) * sum;
}

}  // namespace

double bessel_ratio(Index dimension, double kappa) {
  STAD_CHECK(dimension >= 2 && kappa >= 0);
  const double v = 0.5 * static_cast<double>(dimension);
  const double s = hypotenuse(v - 0.5, kappa);
  return s >= kSeriesFrom ? series_ratio(v - 0.5, kappa, s) : fraction_ratio(v, kappa);
}

void bessel_ratios(Index dimension, std::span<double> kappas) {
  const double v = 0.5 * static_cast<double>(dimension);
  const double a = v - 0.5;
  if (a < kSeriesFrom) {
    for (double& kappa : kappas) kappa = bessel_ratio(dimension, kappa);
    return;
  }
  for (double& kappa : kappas) kappa = series_ratio(a, kappa, hypotenuse(a, kappa));
}

}  // namespace stad
