#pragma once

#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include <stad/matrix.hpp>

namespace stad::vmf {

/// q(w_k) = vMF(rho_k, gamma_k) for every class, kept as the direction and length of its mean: E[w_k] = length_k rho_k.
/// The length apart keeps prototypes that have nearly no evidence from drowning in float32 rounding.
struct Prototypes {
  Matrix directions;                   ///< rho, K x D, unit rows
  std::vector<double> concentrations;  ///< gamma, K
  std::vector<double> lengths;         ///< |E[w_k]| = A_D(gamma_k), K

  /// Certain prototypes: of infinite concentration, so of unit length.
  static Prototypes at(Matrix directions) {
    const auto classes = static_cast<std::size_t>(directions.rows());
    return {std::move(directions), std::vector<double>(classes, std::numeric_limits<double>::infinity()),
            std::vector<double>(classes, 1.0)};
  }
};

/// One batch of the window with what is believed about it.
struct Step {
  Matrix features;                  ///< H, n x D, unit rows
  Prototypes prototypes;            ///< q(w)
  std::vector<double> proportions;  ///< pi, K

  // What the last sweep found; the M-step reads it, nothing else remembers it.
  Matrix responsibilities;         ///< lambda, n x K
  std::vector<double> mass;        ///< sum_n lambda_nk, K
  std::vector<double> agreements;  ///< sum_n lambda_nk E[w_k].h_n with the updated E[w], K
};

/// The batches S_t = {t-s .. t}, oldest first, and what came before them.
struct Window {
  std::deque<Step> steps;
  Prototypes source;               ///< mu_0
  std::optional<Prototypes> past;  ///< of the step that slid out last, frozen

  Step& newest() { return steps.back(); }
  const Step& newest() const { return steps.back(); }
};

}  // namespace stad::vmf
