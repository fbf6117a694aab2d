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

/// Classes in runs whose rows fit the nearer caches, and yet long enough that those which are chosen among them, awake
/// or at rest, meet in whole tiles of the products.
template <typename Scalar, typename Work>
void for_runs_of_classes(const Window<Scalar>& window, Index samples, const Work& work) {
  constexpr Index kClasses = 32;
  parallel_for_runs_of(kClasses, window.classes(), window.dimension() * samples, work);
}

/// Products of the chosen classes' rows of `matrix` with the samples, into those rows of `out`.
template <typename Scalar>
void class_products(const Rows<Scalar>& matrix, std::span<const Index> classes, std::span<const Scalar* const> samples,
                    RowsMap<Scalar> out);

/// The cosines of the newest step's start directions with its own rows, and what resting classes need beside them.
template <typename Scalar>
void start_cosines(Window<Scalar>& window);

/// rho_k.h_n of the newest step's prototypes with any rows. K x n
template <typename Scalar>
void newest_cosines(const Window<Scalar>& window, std::span<const Scalar* const> rows, RowsMap<Scalar> cosines);

/// The products with mu_0 and R of all rows of the window, after they were restored.
template <typename Scalar>
void take_plane_products(Window<Scalar>& window);

}  // namespace stad::vmf
