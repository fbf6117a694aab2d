#pragma once

#include <algorithm>
#include <span>

#include "vmf/params.hpp"
#include "vmf/window.hpp"

namespace stad::vmf {

/// Position of a sweep among the sweeps of one batch.
struct SweepPosition {
  bool first = true;
  bool last = true;
};

/// One sweep over the window: the responsibilities of every step, then every class by itself along the window, oldest
/// step first, in place: each step uses the fresh step before it and the stale step after it.
///
/// The last sweep of a batch leaves a full window as the next batch will find it: the oldest step's directions in the
/// place of the past, those of step i in the place of step i - 1.
template <typename Scalar>
void sweep(VmfWindow<Scalar>& window, const VmfParams& params, const SweepPosition& position);

/// Inputs that all classes share during one sweep.
template <typename Scalar>
struct Sweep {
  VmfWindow<Scalar>& window;
  const VmfParams& params;
  SweepPosition position;
  std::span<const std::span<const Scalar* const>> rows;  ///< addresses of every step's rows of H
  std::span<Scalar* const> lambda;                       ///< every step's responsibilities, K x n

  std::span<const Scalar> responsibilities(Index step, Index k) const {
    const auto samples = static_cast<Index>(rows[step].size());
    return {lambda[step] + k * samples, static_cast<std::size_t>(samples)};
  }
  bool has_mass(Index k) const {
    return std::ranges::any_of(window.steps, [k](const VmfStep<Scalar>& step) { return step.mass[k] > 0; });
  }
  /// Whether the oldest step leaves the window before the next sweep.
  bool slides() const { return position.last && window.full(); }
  /// Whether the cosines of this step are read later.
  bool carries_cosines(Index step) const {
    return window.learns_kappas || window.keeps_all || !slides() || step > 0 || window.size() == 1;
  }
};

}  // namespace stad::vmf
