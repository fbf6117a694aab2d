#pragma once

#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// log C_D(kappa), the logarithm of the von Mises-Fisher density's normalising constant on the unit sphere of R^D:
/// (D/2 - 1) log kappa - (D/2) log 2 pi - log I_{D/2-1}(kappa). kappa > 0, D >= 2.
/// Relative error below 5e-13 up to D = 4096 and kappa = 1e6.
STAD_API double log_normaliser(Index dimension, double kappa);

}  // namespace stad
