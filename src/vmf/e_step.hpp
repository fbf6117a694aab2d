#pragma once

#include <span>
#include <vector>

#include "math/eigen.hpp"
#include "vmf/params.hpp"
#include "vmf/window.hpp"

namespace stad::vmf {

/// One row a sample, one column a class: scale_k rho_k.h_n + offset_k, in double because kappa may be 1e6 and
/// log C_D of the same size. n x K.
template <typename Scalar>
DoubleRows class_logits(const Rows<Scalar>& features, const Rows<Scalar>& directions, const std::vector<double>& scales,
                        const std::vector<double>& offsets);

/// lambda_nk ~ pi_k C_D(kappa_k) exp(kappa_k E[w_k].h_n). [vmf-assign]
template <typename Scalar>
Rows<Scalar> assign(const Step<Scalar>& step, const Params& params);

/// What a neighbour in time says of this step's prototypes: kappa_k E[w_k] of the neighbour.
template <typename Scalar>
struct Message {
  const Prototypes<Scalar>* from = nullptr;  ///< null: no neighbour on this side
  std::span<const double> kappa;             ///< K
};

/// beta_k = message before + kappa_ems sum_n lambda_nk h_n + message after; rho_k = beta_k / |beta_k|;
/// E[w_k] = A_D(|beta_k|) rho_k. A class without evidence from anywhere keeps what it has. Fills the step's mass and
/// agreements from its responsibilities. [vmf-prototype]
template <typename Scalar>
void update_prototypes(Step<Scalar>& step, const Message<Scalar>& before, const Message<Scalar>& after,
                       const Params& params);

/// One sweep over the window, oldest step first, in place: each step uses the fresh step before it and the stale step
/// after it.
template <typename Scalar>
void sweep(Window<Scalar>& window, const Params& params);

/// The static mixture: every class from the newest batch alone.
template <typename Scalar>
void sweep_alone(Step<Scalar>& step, const Params& params);

}  // namespace stad::vmf
