#include "vmf/enter.hpp"

#include <algorithm>

#include "vmf/cosines.hpp"

namespace stad::vmf {
namespace {

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
  start_cosines(window);
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

#define STAD_INSTANTIATE(Scalar)                     \
  template Step<Scalar>& make_room(Window<Scalar>&); \
  template void enter(Window<Scalar>&);              \
  template Rows<Scalar> newest_prototypes(const Window<Scalar>&);

STAD_INSTANTIATE(float)
STAD_INSTANTIATE(double)

}  // namespace stad::vmf
