#include "math/bessel_ratio.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

#include "base/check.hpp"

namespace stad {
namespace {

/// For s of at least this size, seven terms of the series below reach double precision.
constexpr double kSeriesFrom = 64;

double hypotenuse(double a, double x) { return std::sqrt(a * a + x * x); }

template <std::size_t count>
[[gnu::always_inline]] inline double polynomial(const double (&coefficients)[count], double t) {
  double value = coefficients[count - 1];
  for (std::size_t i = count - 1; i-- > 0;) value = value * t + coefficients[i];
  return value;
}

// c_1 .. c_7 of the series, divided by t, from the recursion in docs/maths.md. Binary fractions: all exact.
constexpr double kC1[] = {-0.5};
constexpr double kC2[] = {-0.5, 0.125, 0.625};
constexpr double kC3[] = {-0.75, 0.25, 2.5625, -0.3125, -1.875};
constexpr double kC4[] = {-1.5, 0.5, 9.75, -1.6015625, -16.8515625, 1.1328125, 8.6328125};
constexpr double kC5[] = {-3.75,       1.125,        39.21875,    -6.65625, -117.18359375,
                          11.00390625, 134.66796875, -5.48828125, -52.96875};
constexpr double kC6[] = {-11.25,          2.90625,       171.65625,       -27.4375,      -773.25,       78.0791015625,
                          1476.3916015625, -87.177734375, -1267.958984375, 33.6376953125, 404.4189453125};
constexpr double kC7[] = {-39.375,           8.625,          822.234375,        -119.203125,
                          -5158.322265625,   511.552734375,  14395.65673828125, -948.86669921875,
                          -20090.5712890625, 799.3896484375, 13759.43603515625, -251.50146484375,
                          -3689.0625};

// r = I_v / I_{v-1} solves r' = 1 - 2a r / x - r^2 with a = v - 1/2. Where it changes slowly it is near the root
// x / (s + a), s = sqrt(a^2 + x^2), of the right side, and what is missing is a series in 1/s whose coefficients are
// polynomials of t = a/s. Free of branches, so that loops over it vectorise.
[[gnu::always_inline]] inline double series_ratio(double a, double x, double s) {
  const double u = 1 / s;
  const double t = a * u;
  double sum = polynomial(kC7, t);
  sum = sum * u + polynomial(kC6, t);
  sum = sum * u + polynomial(kC5, t);
  sum = sum * u + polynomial(kC4, t);
  sum = sum * u + polynomial(kC3, t);
  sum = sum * u + polynomial(kC2, t);
  sum = sum * u + polynomial(kC1, t);
  return x / (s + a) * (1 + t * u * sum);
}

// The Bessel functions exceed the range of double for D >= 64, so that their ratio cannot be computed from them.
// Perron's continued fraction for I_v / I_{v-1} with v = D/2,
//
//   x / (2v + x - (2v+1)x / (2v+1 + 2x - (2v+3)x / (2v+2 + 2x - ...)))
//
// converges within a few dozen terms everywhere (the one of Gauss needs thousands at kappa = 1e6). It is summed
// forwards as a series (Gautschi and Slavik 1978), whose terms have one sign and do not cancel.
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
