#pragma once

#include "math/eigen.hpp"
#include "vmf/params.hpp"
#include "vmf/window.hpp"

namespace stad::vmf {

/// lambda_nk ~ pi_k C_D(kappa_k) exp(kappa_k E[w_k].h_n), one row a class, and every class's mass into the step.
/// Reads the step's carried cosines alone. A row whose class is known has no other. [vmf-assign]
/// @param negligible responsibilities below it count as zero
/// @param lambda     K x n, written
template <typename Scalar>
void assign(VmfStep<Scalar>& step, const VmfParams& params, double negligible, RowsMap<Scalar> lambda);

}  // namespace stad::vmf
