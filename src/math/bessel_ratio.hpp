#pragma once

#include <span>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// A_D(kappa) = I_{D/2}(kappa) / I_{D/2-1}(kappa), the length of a von Mises-Fisher mean on the unit sphere of R^D.
/// kappa >= 0, D >= 2. Relative error below 1e-14 up to D = 4096 and kappa = 1e6.
STAD_API double bessel_ratio(Index dimension, double kappa);

/// The same for many at once, in place, in one vectorised pass.
void bessel_ratios(Index dimension, std::span<double> kappas);

}  // namespace stad
