#pragma once

#include "gaussian/params.hpp"
#include "gaussian/window.hpp"

namespace stad::gaussian {

/// How many classes are at work at once. Bounds the memory of their tracks; fixed, so that sums do not depend on
/// threads.
inline constexpr Index kClassesAtOnce = 8;

/// N(mu_0,k, variance I): the filtered belief of step 0.
struct Prior {
  DoubleRows means;  ///< mu_0, K x D
  double variance = 1;

  Belief of_class(Index k) const {
    return {means.row(k).transpose(), variance * SquareMatrix::Identity(means.cols(), means.cols())};
  }
};

/// One EM sweep over the window: assignments, forward and backward pass, then the parameters. A class whose model has
/// run away from the data (a learned A_k may amplify a class that sees no evidence) starts again from the prior.
/// Returns how many did. Algorithm 2 of the paper.
Index em_sweep(Window& window, Params& params, const Prior& prior, bool learn_transition);

/// The static mixture: one EM step for the means of one batch, from `source` and equal proportions.
void static_means(const DoubleRows& source, Step& step);

}  // namespace stad::gaussian
