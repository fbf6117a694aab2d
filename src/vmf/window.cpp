#include "vmf/window.hpp"

#include <algorithm>

#include "vmf/cosines.hpp"

namespace stad::vmf {
namespace {

template <typename Scalar>
void allocate(VmfWindow<Scalar>& window, Index place) {
  if (window.directions[place].size() == 0) window.directions[place].resize(window.classes(), window.dimension());
}

/// Allocates the directions that the sweeps of this batch write and later ones read.
template <typename Scalar>
void allocate_directions(VmfWindow<Scalar>& window) {
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
VmfStep<Scalar>& push_step(VmfWindow<Scalar>& window) {
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
void initialise_newest(VmfWindow<Scalar>& window) {
  const Index classes = window.classes();
  VmfStep<Scalar>& step = window.newest();
  const Index samples = step.features.rows();
  step.proportions.assign(static_cast<std::size_t>(classes), 1 / static_cast<double>(classes));
  step.cosines.resize(classes, samples);
  step.mass.assign(static_cast<std::size_t>(classes), 0.0);
  if (window.learns_kappas) step.agreements.assign(static_cast<std::size_t>(classes), 0.0);
  if (window.compresses) {
    step.along.resize(classes, samples);
    step.across.resize(classes, samples);
  }
  allocate_directions(window);

  const VmfStep<Scalar>* before = window.size() > 1 ? &window.steps[window.size() - 2] : nullptr;
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
    step.headings.assign(window.compresses ? static_cast<std::size_t>(classes) : 0, PlaneDirection{});
  }
  start_cosines(window);
}

template <typename Scalar>
Rows<Scalar> newest_prototypes(const VmfWindow<Scalar>& window) {
  Rows<Scalar> prototypes = newest_directions(window);
  for (Index k = 0; k < window.classes(); ++k) {
    if (window.storage[k] == ClassStorage::kActive) continue;
    const PlaneDirection heading = window.steps.empty() ? PlaneDirection{} : window.newest().headings[k];
    prototypes.row(k) = static_cast<Scalar>(heading.along) * window.source.row(k);
    if (window.storage[k] == ClassStorage::kInPlane)
      prototypes.row(k) += static_cast<Scalar>(heading.across) * window.past.row(k);
  }
  return prototypes;
}

template <typename Scalar>
void set_row_ids(std::span<const std::int64_t> ids, std::span<const Index> places, VmfWindow<Scalar>& window) {
  VmfStep<Scalar>& step = window.newest();
  step.ids.clear();
  step.known.clear();
  if (ids.empty()) return;
  for (const Index place : places) step.ids.push_back(ids[place]);
}

template <typename Scalar>
bool set_label(std::int64_t id, Index label, VmfWindow<Scalar>& window) {
  const Index oldest = window.full() ? 1 : 0;  // the first step of a full window slides out before the next sweep
  for (Index i = window.size() - 1; i >= oldest; --i) {
    VmfStep<Scalar>& step = window.steps[i];
    for (std::size_t n = step.ids.size(); n-- > 0;) {
      if (step.ids[n] != id) continue;
      if (step.known.empty()) step.known.assign(step.ids.size(), kUnlabelled);
      step.known[n] = label;
      return true;
    }
  }
  return false;
}

#define STAD_INSTANTIATE(Scalar)                                                                        \
  template VmfStep<Scalar>& push_step(VmfWindow<Scalar>&);                                              \
  template void initialise_newest(VmfWindow<Scalar>&);                                                  \
  template Rows<Scalar> newest_prototypes(const VmfWindow<Scalar>&);                                    \
  template void set_row_ids(std::span<const std::int64_t>, std::span<const Index>, VmfWindow<Scalar>&); \
  template bool set_label(std::int64_t, Index, VmfWindow<Scalar>&);

STAD_INSTANTIATE(float)
STAD_INSTANTIATE(double)
#undef STAD_INSTANTIATE

}  // namespace stad::vmf
