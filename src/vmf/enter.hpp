#pragma once

#include "vmf/window.hpp"

namespace stad::vmf {

/// A batch joins the window, and the oldest step leaves a full one. The caller writes the newest step's features,
/// and then lets `enter` do the rest.
template <typename Scalar>
Step<Scalar>& make_room(Window<Scalar>& window);

/// The start values of the newest step: prototypes at mu_0, or where the step before it has them.
template <typename Scalar>
void enter(Window<Scalar>& window);

/// The matrix that holds, between batches, the newest step's directions of awake classes; mu_0 before the first batch.
template <typename Scalar>
const Rows<Scalar>& newest_directions(const Window<Scalar>& window) {
  if (window.steps.empty()) return window.source;
  const Index place = window.newest_place();
  return place < 0 ? window.past : window.directions[place];
}

/// The newest step's prototypes, K x D.
template <typename Scalar>
Rows<Scalar> newest_prototypes(const Window<Scalar>& window);

}  // namespace stad::vmf
