#pragma once

#include <stad/options.hpp>

#include "vmf/params.hpp"
#include "vmf/window.hpp"

namespace stad::vmf {

/// pi_k = mean_n lambda_nk; a batch without rows says nothing. [vmf-proportions]
template <typename Scalar>
void update_proportions(VmfStep<Scalar>& step);

/// kappa_trans from the mean agreement of consecutive prototypes, kappa_ems from that of samples with their
/// prototypes, for all classes together or one by one (`learn` is not none). [vmf-kappa-trans] [vmf-kappa-ems]
template <typename Scalar>
void learn_concentrations(const VmfWindow<Scalar>& window, LearnKappa learn, VmfParams& params);

}  // namespace stad::vmf
