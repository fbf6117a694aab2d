#pragma once

#include "gaussian/params.hpp"
#include "gaussian/window.hpp"

namespace stad::gaussian {

/// Classes updated at once. Bounds the memory of their tracks; fixed, so that sums do not depend on the thread count.
inline constexpr Index kClassesAtOnce = 8;

/// N(mu_0,k, variance I): the filtered belief of step 0.
struct GaussPrior {
  DoubleRows means;  ///< mu_0, K x D
  double variance = 1;

  Belief of_class(Index k) const {
    return {means.row(k).transpose(), variance * SquareMatrix::Identity(means.cols(), means.cols())};
  }
};

/// One EM sweep over the window: assignments, forward and backward pass, then the parameters. A class whose filter
/// diverged (a learned A_k may amplify a class without evidence) is reset to the prior. Returns the number of resets.
/// Algorithm 2 of the paper.
Index em_sweep(GaussWindow& window, GaussParams& params, const GaussPrior& prior, bool learn_transition);

/// The static mixture: one EM step for the means of one batch, from `source` and equal proportions.
void static_means(const DoubleRows& source, GaussStep& step);

}  // namespace stad::gaussian
