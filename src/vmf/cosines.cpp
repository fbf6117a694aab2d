#include "vmf/cosines.hpp"

#include "math/row_products.hpp"
#include "math/scratch_rows.hpp"
#include "vmf/compressed_classes.hpp"
#include "vmf/window.hpp"

namespace stad::vmf {
namespace {

template <typename Scalar>
using Addresses = std::span<const Scalar* const>;

/// The classes of a run for which `chosen` holds.
template <typename Scalar, typename Chosen>
std::span<const Index> choose(const VmfWindow<Scalar>& window, Index first, Index length, Scratch& scratch,
                              const Chosen& chosen) {
  const auto classes = scratch.take<Index>(length);
  Index count = 0;
  for (Index k = first; k < first + length; ++k)
    if (chosen(window.storage[k])) classes[count++] = k;
  return classes.first(static_cast<std::size_t>(count));
}

/// Cosines of directions that are rows of `matrix` for active classes and `headings` for compressed ones, whose
/// products with the basis of their plane are written to `along` and `across`.
template <typename Scalar>
void cosines_of(const VmfWindow<Scalar>& window, const Rows<Scalar>& matrix,
                const std::vector<PlaneDirection>& headings, Addresses<Scalar> samples, RowsMap<Scalar> cosines,
                RowsMap<Scalar> along, RowsMap<Scalar> across) {
  for_runs_of_classes(window, static_cast<Index>(samples.size()), [&](Index first, Index length) {
    Scratch scratch;
    const auto active =
        choose(window, first, length, scratch, [](ClassStorage storage) { return storage == ClassStorage::kActive; });
    const auto compressed =
        choose(window, first, length, scratch, [](ClassStorage storage) { return storage != ClassStorage::kActive; });
    const auto in_plane =
        choose(window, first, length, scratch, [](ClassStorage storage) { return storage == ClassStorage::kInPlane; });
    class_products<Scalar>(matrix, active, samples, cosines);
    class_products<Scalar>(window.source, compressed, samples, along);
    class_products<Scalar>(window.past, in_plane, samples, across);
    for (const Index k : compressed)
      compressed_cosines<Scalar>(window.storage[k], headings[k], row_of(along, k), row_of(across, k),
                                 row_of(cosines, k));
  });
}

/// The same where every class is at mu_0: its products are the cosines, and `along` is a copy for later steps.
template <typename Scalar>
void source_cosines(const VmfWindow<Scalar>& window, Addresses<Scalar> samples, RowsMap<Scalar> cosines,
                    RowsMap<Scalar> along, RowsMap<Scalar> across) {
  for_runs_of_classes(window, static_cast<Index>(samples.size()), [&](Index first, Index length) {
    Scratch scratch;
    class_products<Scalar>(window.source, choose(window, first, length, scratch, [](ClassStorage) { return true; }),
                           samples, cosines);
    if (!window.compresses) return;
    along.middleRows(first, length) = cosines.middleRows(first, length);
    const auto in_plane =
        choose(window, first, length, scratch, [](ClassStorage storage) { return storage == ClassStorage::kInPlane; });
    class_products<Scalar>(window.past, in_plane, samples, across);
  });
}

}  // namespace

template <typename Scalar>
void class_products(const Rows<Scalar>& matrix, std::span<const Index> classes, std::span<const Scalar* const> samples,
                    RowsMap<Scalar> out) {
  Scratch scratch;
  const auto count = static_cast<Index>(classes.size());
  const auto rows = scratch.take<const Scalar*>(count);
  const auto places = scratch.take<Scalar*>(count);
  for (Index c = 0; c < count; ++c) {
    rows[c] = row_of(matrix, classes[c]).data();
    places[c] = row_of(out, classes[c]).data();
  }
  inner_products<Scalar>(rows, samples, matrix.cols(), places);
}

template <typename Scalar>
void start_cosines(VmfWindow<Scalar>& window) {
  VmfStep<Scalar>& step = window.newest();
  Scratch scratch;
  const auto rows = scratch.take<const Scalar*>(step.features.rows());
  addresses(step.features, rows);
  if (window.start == &window.source)
    source_cosines<Scalar>(window, rows, as_map(step.cosines), as_map(step.along), as_map(step.across));
  else
    cosines_of<Scalar>(window, *window.start, step.headings, rows, as_map(step.cosines), as_map(step.along),
                       as_map(step.across));
}

template <typename Scalar>
void newest_cosines(const VmfWindow<Scalar>& window, std::span<const Scalar* const> rows, RowsMap<Scalar> cosines) {
  const auto samples = static_cast<Index>(rows.size());
  Scratch scratch;
  const auto along = take_rows<Scalar>(scratch, window.classes(), samples);
  const auto across = take_rows<Scalar>(scratch, window.classes(), samples);
  if (window.steps.empty())
    source_cosines<Scalar>(window, rows, cosines, along, across);
  else
    cosines_of<Scalar>(window, newest_directions(window), window.newest().headings, rows, cosines, along, across);
}

template <typename Scalar>
void restore_plane_products(VmfWindow<Scalar>& window) {
  if (!window.compresses) return;
  for (VmfStep<Scalar>& step : window.steps) {
    step.along.resize(window.classes(), step.features.rows());
    step.across.resize(window.classes(), step.features.rows());
    Scratch scratch;
    const auto rows = scratch.take<const Scalar*>(step.features.rows());
    addresses(step.features, rows);
    const auto known = [&](ClassStorage storage) { return storage != ClassStorage::kActive || window.from_source; };
    const auto in_plane = [](ClassStorage storage) { return storage == ClassStorage::kInPlane; };
    class_products<Scalar>(window.source, choose(window, 0, window.classes(), scratch, known), rows,
                           as_map(step.along));
    class_products<Scalar>(window.past, choose(window, 0, window.classes(), scratch, in_plane), rows,
                           as_map(step.across));
  }
}

#define STAD_INSTANTIATE(Scalar)                                                                            \
  template void class_products(const Rows<Scalar>&, std::span<const Index>, std::span<const Scalar* const>, \
                               RowsMap<Scalar>);                                                            \
  template void start_cosines(VmfWindow<Scalar>&);                                                          \
  template void newest_cosines(const VmfWindow<Scalar>&, std::span<const Scalar* const>, RowsMap<Scalar>);  \
  template void restore_plane_products(VmfWindow<Scalar>&);

STAD_INSTANTIATE(float)
STAD_INSTANTIATE(double)
#undef STAD_INSTANTIATE

}  // namespace stad::vmf
