#pragma once

#include <vector>

#include "gaussian/belief.hpp"

namespace stad::gaussian {

/// One batch of the window with what is believed about it.
struct Step {
  DoubleRows features;              ///< H, n x D, unit rows
  DoubleRows means;                 ///< E[w_k], K x D: smoothed, or the start value
  std::vector<double> proportions;  ///< pi, K
};

/// The batches S_t = {t-s .. t}, oldest first, and the filtered beliefs the forward pass starts from.
struct Window {
  std::vector<Step> steps;
  std::vector<Belief> start;   ///< of the step that slid out last, as last computed; the prior until then. K
  std::vector<Belief> oldest;  ///< of the oldest step, from the last forward pass: the next start. K

  Step& newest() { return steps.back(); }
  const Step& newest() const { return steps.back(); }
};

}  // namespace stad::gaussian
