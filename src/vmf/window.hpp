#pragma once

#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "math/eigen.hpp"

namespace stad::vmf {

// Everything here comes in float and in double. float32 decides as well as double while kappa times a rounding error
// stays small; learned concentrations reach 1e6, and there only double does.

/// q(w_k) = vMF(rho_k, gamma_k) for every class, kept as the direction and length of its mean: E[w_k] = length_k rho_k.
/// The length apart keeps prototypes that have nearly no evidence from drowning in float32 rounding.
template <typename Scalar>
struct Prototypes {
  Rows<Scalar> directions;             ///< rho, K x D, unit rows
  std::vector<double> concentrations;  ///< gamma, K
  std::vector<double> lengths;         ///< |E[w_k]| = A_D(gamma_k), K

  /// Certain prototypes: of infinite concentration, so of unit length.
  static Prototypes at(Rows<Scalar> directions) {
    const auto classes = static_cast<std::size_t>(directions.rows());
    return {std::move(directions), std::vector<double>(classes, std::numeric_limits<double>::infinity()),
            std::vector<double>(classes, 1.0)};
  }
};

/// One batch of the window with what is believed about it.
template <typename Scalar>
struct Step {
  Rows<Scalar> features;            ///< H, n x D, unit rows
  Prototypes<Scalar> prototypes;    ///< q(w)
  std::vector<double> proportions;  ///< pi, K

  // What the last sweep found; the M-step reads it, nothing else remembers it.
  Rows<Scalar> responsibilities;   ///< lambda, n x K
  std::vector<double> mass;        ///< sum_n lambda_nk, K
  std::vector<double> agreements;  ///< sum_n lambda_nk E[w_k].h_n with the updated E[w], K
};

/// The batches S_t = {t-s .. t}, oldest first, and what came before them.
template <typename Scalar>
struct Window {
  std::deque<Step<Scalar>> steps;
  Prototypes<Scalar> source;               ///< mu_0
  std::optional<Prototypes<Scalar>> past;  ///< of the step that slid out last, frozen

  Step<Scalar>& newest() { return steps.back(); }
  const Step<Scalar>& newest() const { return steps.back(); }
};

}  // namespace stad::vmf
