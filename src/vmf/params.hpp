#pragma once

#include <algorithm>
#include <vector>

#include <stad/matrix.hpp>

namespace stad::vmf {

/// The concentrations of the model, one a class; the learned ones move in the M-step.
struct Params {
  double initial = 100;            ///< kappa_0, never learned
  std::vector<double> transition;  ///< kappa_trans, K
  std::vector<double> emission;    ///< kappa_ems, K

  Params() = default;
  Params(double kappa_0, double kappa_trans, double kappa_ems, Index classes)
      : initial(kappa_0),
        transition(static_cast<std::size_t>(classes), kappa_trans),
        emission(static_cast<std::size_t>(classes), kappa_ems) {}

  /// Forgets what was learned.
  void reset(double kappa_trans, double kappa_ems) {
    std::ranges::fill(transition, kappa_trans);
    std::ranges::fill(emission, kappa_ems);
  }

  /// With one kappa_ems for all classes its normalising constant cancels and need not be computed.
  bool shares_emission() const {
    return std::all_of(emission.begin(), emission.end(), [&](double kappa) { return kappa == emission.front(); });
  }
};

}  // namespace stad::vmf
