#pragma once

#include "vmf/params.hpp"
#include "vmf/window.hpp"

namespace stad::vmf {

/// The variational objective E_q[log p(H, W, C)] + H[q] of a window that keeps all directions, up to terms that neither
/// q nor the parameters move, with the responsibilities that are best for its prototypes. A sweep never decreases it.
/// [vmf-objective]
template <typename Scalar>
double objective(VmfWindow<Scalar>& window, const VmfParams& params);

}  // namespace stad::vmf
