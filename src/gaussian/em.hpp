#pragma once

#include "gaussian/params.hpp"
#include "gaussian/window.hpp"

namespace stad::gaussian {

/// N(mu_0,k, variance I) for every class: the filtered belief of step 0.
std::vector<Belief> prior(const DoubleRows& source, double variance);

/// One EM sweep over the window: assignments, forward and backward pass, then the parameters. A class whose model has
/// run away from the data (a learned A_k may amplify a class that sees no evidence) starts again from `source`.
/// Returns how many did. Algorithm 2 of the paper.
Index em_sweep(Window& window, Params& params, const std::vector<Belief>& source, bool learn_transition);

/// The static mixture: one EM step for the means of one batch, from `source`.
DoubleRows static_means(const DoubleRows& features, const DoubleRows& source);

}  // namespace stad::gaussian
