#pragma once

#include <span>

#include "vmf/sweep.hpp"

namespace stad::vmf {

/// Updates active classes along the window, each independently of the others:
/// beta_k = message before + kappa_ems sum_n lambda_nk h_n + message after; rho_k = beta_k / |beta_k|;
/// E[w_k] = A_D(|beta_k|) rho_k, and the cosines of rho_k with the step's rows. A class with beta_k = 0 keeps its
/// values. [vmf-prototype]
template <typename Scalar>
void sweep_active(const Sweep<Scalar>& sweep, std::span<const Index> classes);

}  // namespace stad::vmf
