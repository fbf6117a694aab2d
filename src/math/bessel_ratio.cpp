#include "math/bessel_ratio.hpp"

#include <cmath>
#include <limits>

#include "base/check.hpp"

namespace stad {

// The Bessel functions themselves leave the range of double for D >= 64, so their ratio is never formed from them.
// Perron's continued fraction for I_v / I_{v-1} with v = D/2,
//
//   x / (2v + x - (2v+1)x / (2v+1 + 2x - (2v+3)x / (2v+2 + 2x - ...)))
//
// settles within a few dozen terms everywhere (Gauss' needs thousands at kappa = 1e6). It is summed forwards as a
// series (Gautschi and Slavik 1978): with the terms all of one sign nothing cancels.
double bessel_ratio(Index dimension, double kappa) {
  STAD_CHECK(dimension >= 2 && kappa >= 0);
  if (kappa == 0) return 0;
  const double v = 0.5 * static_cast<double>(dimension);
  const double x = kappa;

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

}  // namespace stad
