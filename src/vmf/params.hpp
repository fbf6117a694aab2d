#pragma once

#include <algorithm>
#include <vector>

#include <stad/matrix.hpp>

#include "math/log_normaliser.hpp"

namespace stad::vmf {

/// The concentrations of the model, one a class; the learned ones move in the M-step.
struct VmfParams {
  double initial = 100;            ///< kappa_0, never learned
  std::vector<double> transition;  ///< kappa_trans, K
  std::vector<double> emission;    ///< kappa_ems, K
  std::vector<double> normaliser;  ///< log C_D(kappa_ems), up to what all classes share, K

  VmfParams() = default;
  VmfParams(double kappa_0, double kappa_trans, double kappa_ems, Index classes)
      : initial(kappa_0),
        transition(static_cast<std::size_t>(classes), kappa_trans),
        emission(static_cast<std::size_t>(classes), kappa_ems),
        normaliser(static_cast<std::size_t>(classes), 0.0) {}

  /// Forgets what was learned.
  void reset(double kappa_trans, double kappa_ems) {
    std::ranges::fill(transition, kappa_trans);
    std::ranges::fill(emission, kappa_ems);
    std::ranges::fill(normaliser, 0.0);
  }

  /// To be called when kappa_ems has changed. With one for all classes its constant cancels and is not computed.
  void update_normaliser(Index dimension) {
    const auto differs = [&](double kappa) { return kappa != emission.front(); };
    const bool cancels = std::ranges::none_of(emission, differs);
    for (std::size_t k = 0; k < emission.size(); ++k)
      normaliser[k] = cancels ? 0 : log_normaliser(dimension, emission[k]);
  }
};

}  // namespace stad::vmf
