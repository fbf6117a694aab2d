#include "vmf/cosines.hpp"

#include "math/row_products.hpp"
#include "math/scratch_rows.hpp"
#include "vmf/enter.hpp"
#include "vmf/rest.hpp"

namespace stad::vmf {
namespace {

template <typename Scalar>
using Addresses = std::span<const Scalar* const>;

/// Some of a run of classes.
template <typename Scalar, typename Chosen>
std::span<const Index> choose(const Window<Scalar>& window, Index first, Index length, Scratch& scratch,
                              const Chosen& chosen) {
  const auto classes = scratch.take<Index>(length);
  Index count = 0;
  for (Index k = first; k < first + length; ++k)
    if (chosen(window.rest[k])) classes[count++] = k;
  return classes.first(static_cast<std::size_t>(count));
}

/// Cosines of directions that are rows of `matrix` where the class is awake and `headings` where it rests, which
/// leaves its products with the plane in `along` and `across`.
template <typename Scalar>
void cosines_of(const Window<Scalar>& window, const Rows<Scalar>& matrix, const std::vector<Heading>& headings,
                Addresses<Scalar> samples, RowsMap<Scalar> cosines, RowsMap<Scalar> along, RowsMap<Scalar> across) {
  for_runs_of_classes(window, static_cast<Index>(samples.size()), [&](Index first, Index length) {
    Scratch scratch;
    const auto awake = choose(window, first, length, scratch, [](Rest rest) { return rest == Rest::kAwake; });
    const auto resting = choose(window, first, length, scratch, [](Rest rest) { return rest != Rest::kAwake; });
    const auto in_plane = choose(window, first, length, scratch, [](Rest rest) { return rest == Rest::kInPlane; });
    class_products<Scalar>(matrix, awake, samples, cosines);
    class_products<Scalar>(window.source, resting, samples, along);
    class_products<Scalar>(window.past, in_plane, samples, across);
    for (const Index k : resting)
      resting_cosines<Scalar>(window.rest[k], headings[k], row_of(along, k), row_of(across, k), row_of(cosines, k));
  });
}

/// The same where every class is at mu_0: then its products are the cosines, and `along` is a copy for later.
template <typename Scalar>
void source_cosines(const Window<Scalar>& window, Addresses<Scalar> samples, RowsMap<Scalar> cosines,
                    RowsMap<Scalar> along, RowsMap<Scalar> across) {
  for_runs_of_classes(window, static_cast<Index>(samples.size()), [&](Index first, Index length) {
    Scratch scratch;
    class_products<Scalar>(window.source, choose(window, first, length, scratch, [](Rest) { return true; }), samples,
                           cosines);
    if (!window.rests) return;
    along.middleRows(first, length) = cosines.middleRows(first, length);
    const auto in_plane = choose(window, first, length, scratch, [](Rest rest) { return rest == Rest::kInPlane; });
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
void start_cosines(Window<Scalar>& window) {
  Step<Scalar>& step = window.newest();
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
void newest_cosines(const Window<Scalar>& window, std::span<const Scalar* const> rows, RowsMap<Scalar> cosines) {
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
void take_plane_products(Window<Scalar>& window) {
  if (!window.rests) return;
  for (Step<Scalar>& step : window.steps) {
    step.along.resize(window.classes(), step.features.rows());
    step.across.resize(window.classes(), step.features.rows());
    Scratch scratch;
    const auto rows = scratch.take<const Scalar*>(step.features.rows());
    addresses(step.features, rows);
    const auto known = [&](Rest rest) { return rest != Rest::kAwake || window.from_source; };
    const auto in_plane = [](Rest rest) { return rest == Rest::kInPlane; };
    class_products<Scalar>(window.source, choose(window, 0, window.classes(), scratch, known), rows,
                           as_map(step.along));
    class_products<Scalar>(window.past, choose(window, 0, window.classes(), scratch, in_plane), rows,
                           as_map(step.across));
  }
}

#define STAD_INSTANTIATE(Scalar)                                                                            \
  template void class_products(const Rows<Scalar>&, std::span<const Index>, std::span<const Scalar* const>, \
                               RowsMap<Scalar>);                                                            \
  template void start_cosines(Window<Scalar>&);                                                             \
  template void newest_cosines(const Window<Scalar>&, std::span<const Scalar* const>, RowsMap<Scalar>);     \
  template void take_plane_products(Window<Scalar>&);

STAD_INSTANTIATE(float)
STAD_INSTANTIATE(double)

}  // namespace stad::vmf
