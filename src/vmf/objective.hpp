#pragma once

#include "vmf/params.hpp"
#include "vmf/window.hpp"

namespace stad::vmf {

/// The variational objective E_q[log p(H, W, C)] + H[q] of the window, up to terms that neither q nor the parameters
/// move, given the responsibilities of every step. Coordinate updates never decrease it. [vmf-objective]
template <typename Scalar>
double objective(const Window<Scalar>& window, const Params& params);

}  // namespace stad::vmf
