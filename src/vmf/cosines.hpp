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

/// Classes in runs whose rows fit the first caches and that are long enough for the chosen classes among them to fill
/// whole tiles of the matrix products.
template <typename Scalar, typename Work>
void for_runs_of_classes(const VmfWindow<Scalar>& window, Index samples, const Work& work) {
  constexpr Index kClasses = 32;
  parallel_for_runs_of(kClasses, window.classes(), window.dimension() * samples, work);
}

/// Products of the chosen classes' rows of `matrix` with the samples, into those rows of `out`.
template <typename Scalar>
void class_products(const Rows<Scalar>& matrix, std::span<const Index> classes, std::span<const Scalar* const> samples,
                    RowsMap<Scalar> out);

/// The cosines of the newest step's start directions with its own rows, and what compressed classes need beside them.
template <typename Scalar>
void start_cosines(VmfWindow<Scalar>& window);

/// rho_k.h_n of the newest step's prototypes with any rows. K x n
template <typename Scalar>
void newest_cosines(const VmfWindow<Scalar>& window, std::span<const Scalar* const> rows, RowsMap<Scalar> cosines);

/// The products with mu_0 and R of all rows of the window, after they were restored.
template <typename Scalar>
void restore_plane_products(VmfWindow<Scalar>& window);

}  // namespace stad::vmf
