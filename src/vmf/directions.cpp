#include "vmf/directions.hpp"

#include <algorithm>
#include <utility>

#include "base/scratch.hpp"
#include "math/row_products.hpp"
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
      heading_cosines<Scalar>(
          headings[k], std::span<const Scalar>(row_of(along, k)),
          window.rest[k] == Rest::kInPlane ? std::span<const Scalar>(row_of(across, k)) : std::span<const Scalar>(),
          row_of(cosines, k));
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

template <typename Scalar>
void allocate(Window<Scalar>& window, Index place) {
  if (window.directions[place].size() == 0) window.directions[place].resize(window.classes(), window.dimension());
}

/// Memory for what the coming sweeps will keep.
template <typename Scalar>
void allocate_directions(Window<Scalar>& window) {
  const Index newest = window.size() - 1;
  window.directions.resize(static_cast<std::size_t>(window.capacity));
  if (window.full() && window.past.size() == 0) window.past.resize(window.classes(), window.dimension());
  const bool newest_is_oldest = window.full() ? window.capacity == 2 : newest == 0;
  const bool start_is_oldest = newest == 1;
  if (newest_is_oldest || window.keeps_all || (newest == 0 && window.sweeps_again))
    allocate(window, 0);
  else if (!start_is_oldest)
    window.directions[0].resize(0, 0);
  const Index last = window.full() && !window.sweeps_again && !window.keeps_all ? newest - 1 : newest;
  for (Index place = 1; place <= last; ++place) allocate(window, place);
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
void newest_cosines(const Window<Scalar>& window, std::span<const Scalar* const> rows, RowsMap<Scalar> cosines) {
  const auto samples = static_cast<Index>(rows.size());
  Scratch scratch;
  const auto map = [&] {
    return RowsMap<Scalar>(scratch.take<Scalar>(window.classes() * samples).data(), window.classes(), samples);
  };
  if (window.steps.empty())
    source_cosines<Scalar>(window, rows, cosines, map(), map());
  else
    cosines_of<Scalar>(window, newest_directions(window), window.newest().headings, rows, cosines, map(), map());
}

template <typename Scalar>
Step<Scalar>& make_room(Window<Scalar>& window) {
  if (!window.full()) {
    window.steps.emplace_back();
    return window.newest();
  }
  window.past_lengths.swap(window.steps.front().lengths);
  window.past_headings.swap(window.steps.front().headings);
  std::rotate(window.steps.begin(), window.steps.begin() + 1, window.steps.end());
  return window.newest();
}

template <typename Scalar>
void enter(Window<Scalar>& window) {
  const Index classes = window.classes();
  Step<Scalar>& step = window.newest();
  const Index samples = step.features.rows();
  step.proportions.assign(static_cast<std::size_t>(classes), 1 / static_cast<double>(classes));
  step.cosines.resize(classes, samples);
  step.mass.assign(static_cast<std::size_t>(classes), 0.0);
  if (window.learns_kappas) step.agreements.assign(static_cast<std::size_t>(classes), 0.0);
  if (window.rests) {
    step.along.resize(classes, samples);
    step.across.resize(classes, samples);
  }
  allocate_directions(window);

  const Step<Scalar>* before = window.size() > 1 ? &window.steps[window.size() - 2] : nullptr;
  window.start = &window.source;
  if (!window.from_source && before) {
    window.start = &window.directions[window.size() - 2];
    step.lengths = before->lengths;
    step.headings = before->headings;
  } else if (!window.from_source && window.has_past()) {
    window.start = &window.past;
    step.lengths = window.past_lengths;
    step.headings = window.past_headings;
  } else {
    step.lengths.assign(static_cast<std::size_t>(classes), 1.0);
    step.headings.assign(window.rests ? static_cast<std::size_t>(classes) : 0, Heading{});
  }

  Scratch scratch;
  const auto rows = scratch.take<const Scalar*>(samples);
  addresses(step.features, rows);
  if (window.start == &window.source)
    source_cosines<Scalar>(window, rows, as_map(step.cosines), as_map(step.along), as_map(step.across));
  else
    cosines_of<Scalar>(window, *window.start, step.headings, rows, as_map(step.cosines), as_map(step.along),
                       as_map(step.across));
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

template <typename Scalar>
Rows<Scalar> newest_prototypes(const Window<Scalar>& window) {
  Rows<Scalar> prototypes = newest_directions(window);
  for (Index k = 0; k < window.classes(); ++k) {
    if (window.rest[k] == Rest::kAwake) continue;
    const Heading heading = window.steps.empty() ? Heading{} : window.newest().headings[k];
    prototypes.row(k) = static_cast<Scalar>(heading.along) * window.source.row(k);
    if (window.rest[k] == Rest::kInPlane) prototypes.row(k) += static_cast<Scalar>(heading.across) * window.past.row(k);
  }
  return prototypes;
}

#define STAD_INSTANTIATE(Scalar)                                                                            \
  template void class_products(const Rows<Scalar>&, std::span<const Index>, std::span<const Scalar* const>, \
                               RowsMap<Scalar>);                                                            \
  template void newest_cosines(const Window<Scalar>&, std::span<const Scalar* const>, RowsMap<Scalar>);     \
  template Step<Scalar>& make_room(Window<Scalar>&);                                                        \
  template void enter(Window<Scalar>&);                                                                     \
  template void take_plane_products(Window<Scalar>&);                                                       \
  template Rows<Scalar> newest_prototypes(const Window<Scalar>&);

STAD_INSTANTIATE(float)
STAD_INSTANTIATE(double)

}  // namespace stad::vmf
