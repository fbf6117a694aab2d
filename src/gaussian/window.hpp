#pragma once

#include <vector>

#include "gaussian/belief.hpp"

namespace stad::gaussian {

/// One batch of the window and its posterior means.
struct GaussStep {
  DoubleRows features;              ///< H, n x D, unit rows
  DoubleRows means;                 ///< E[w_k], K x D: smoothed, or the start value
  std::vector<double> proportions;  ///< pi, K
};

/// The batches S_t = {t-s .. t}, oldest first, and the filtered beliefs the forward pass starts from.
struct GaussWindow {
  std::vector<GaussStep> steps;
  std::vector<Belief> start;   ///< of the last step that left the window; the prior before any did. K
  std::vector<Belief> oldest;  ///< of the oldest step, from the last forward pass: the next start. K

  GaussStep& newest() { return steps.back(); }
  const GaussStep& newest() const { return steps.back(); }
};

}  // namespace stad::gaussian
