#pragma once

#include <span>

#include "base/parallel.hpp"
#include "vmf/window.hpp"

namespace stad::vmf {

/// The addresses of rows.
template <typename Scalar>
void addresses(const Rows<Scalar>& rows, std::span<const Scalar*> out) {
  for (std::size_t r = 0; r < out.size(); ++r) out[r] = rows.data() + static_cast<Index>(r) * rows.cols();
}

template <typename Scalar>
RowsMap<Scalar> as_map(Rows<Scalar>& rows) {
  return {rows.data(), rows.rows(), rows.cols()};
}

/// Products of the chosen classes' rows of `matrix` with the samples, into those rows of `out`.
template <typename Scalar>
void class_products(const Rows<Scalar>& matrix, std::span<const Index> classes, std::span<const Scalar* const> samples,
                    RowsMap<Scalar> out);

/// Classes in runs whose rows fit the nearer caches, and yet long enough that those which are chosen among them, awake
/// or at rest, meet in whole tiles of the products.
template <typename Scalar, typename Work>
void for_runs_of_classes(const Window<Scalar>& window, Index samples, const Work& work) {
  constexpr Index kClasses = 32;
  parallel_for_runs_of(kClasses, window.classes(), window.dimension() * samples, work);
}

/// The matrix that holds, between batches, the newest step's directions of awake classes; mu_0 before the first batch.
template <typename Scalar>
const Rows<Scalar>& newest_directions(const Window<Scalar>& window) {
  if (window.steps.empty()) return window.source;
  const Index place = window.full() ? window.size() - 2 : window.size() - 1;
  return place < 0 ? window.past : window.directions[place];
}

/// rho_k.h_n of the newest step's prototypes with any rows. K x n
template <typename Scalar>
void newest_cosines(const Window<Scalar>& window, std::span<const Scalar* const> rows, RowsMap<Scalar> cosines);

/// A batch joins the window, and the oldest step leaves a full one. The caller writes the newest step's features,
/// and then lets `enter` do the rest.
template <typename Scalar>
Step<Scalar>& make_room(Window<Scalar>& window);

/// The start values of the newest step: prototypes at mu_0, or where the step before it has them.
template <typename Scalar>
void enter(Window<Scalar>& window);

/// The products with mu_0 and R of all rows of the window, after they were restored.
template <typename Scalar>
void take_plane_products(Window<Scalar>& window);

/// The newest step's prototypes, K x D.
template <typename Scalar>
Rows<Scalar> newest_prototypes(const Window<Scalar>& window);

}  // namespace stad::vmf
