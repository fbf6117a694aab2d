#include "math/log_normaliser.hpp"

#include <cmath>
#include <numbers>

#include "base/check.hpp"
#include "math/bessel_ratio.hpp"

namespace stad {
namespace {

// Olver's uniform expansion, I_v(vz) ~ exp(v eta) / sqrt(2 pi v s) * sum_j u_j(1/s) / v^j with s = sqrt(1 + z^2),
// holds for every kappa at once; four terms beyond the leading one reach double precision from this order on.
constexpr double kUniformOrder = 128;

/// sum_j u_j(p) / v^j, with the polynomials of DLMF 10.41.10.
double uniform_series(double v, double p) {
  const double q = p * p;
  const double u1 = p * (3 - 5 * q) / 24;
  const double u2 = q * (81 + q * (-462 + q * 385)) / 1152;
  const double u3 = p * q * (30375 + q * (-369603 + q * (765765 - q * 425425))) / 414720;
  const double u4 = q * q * (4465125 + q * (-94121676 + q * (349922430 + q * (-446185740 + q * 185910725)))) / 39813120;
  return 1 + (u1 + (u2 + (u3 + u4 / v) / v) / v) / v;
}

/// v log kappa - log I_v(kappa) for a large order, arranged so that the terms in log kappa, which cancel, do not occur.
double scaled_log_bessel(double v, double kappa) {
  const double s = std::hypot(v, kappa);  // v sqrt(1 + z^2)
  return v * std::log(v + s) - s + 0.5 * std::log(2 * std::numbers::pi * s) - std::log(uniform_series(v, v / s));
}

}  // namespace

double log_normaliser(Index dimension, double kappa) {
  STAD_CHECK(dimension >= 2 && kappa > 0);
  const double half = 0.5 * static_cast<double>(dimension);
  const double order = half - 1;

  // Small orders are computed from a large one: I_v = I_{v+m} / (ratio_v ratio_{v+1} ... ratio_{v+m-1}), with
  // ratio_j = I_{j+1} / I_j by the backward recurrence, which is stable.
  const Index lift = order < kUniformOrder ? static_cast<Index>(std::ceil(kUniformOrder - order)) : 0;
  double ratio = bessel_ratio(dimension + 2 * lift, kappa);
  double log_ratios = 0;  // sum of log(ratio_j / kappa)
  for (Index j = lift; j-- > 0;) {
    const double scaled = 1 / (2 * (order + static_cast<double>(j) + 1) + kappa * ratio);
    ratio = kappa * scaled;
    log_ratios += std::log(scaled);
  }
  const double lifted = order + static_cast<double>(lift);
  return scaled_log_bessel(lifted, kappa) + log_ratios - half * std::log(2 * std::numbers::pi);
}

}  // namespace stad
