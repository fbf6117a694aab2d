// State of stad-vmf as named tensors. Only what the next batch reads is written: directions of active classes, and
// nothing of the oldest batch of a full window, which leaves the window next.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "adapt/stad_vmf_adapter.hpp"
#include "adapt/state_tensors.hpp"
#include "base/try.hpp"
#include "math/concentration.hpp"
#include "vmf/cosines.hpp"

namespace stad {
namespace {

constexpr double kLargestCosine = 1 + 1e-3;

std::string step_prefix(Index i) { return fmt::format("step{}.", i); }
std::string place_name(Index place) { return fmt::format("place{}.directions", place); }

/// Whether the next batch reads this step's rows.
template <typename Scalar>
bool keeps_rows(const vmf::VmfWindow<Scalar>& window, Index i) {
  return i > 0 || !window.full() || window.size() == 1;
}

/// The places whose directions the next batch reads.
template <typename Scalar>
std::vector<Index> kept_places(const vmf::VmfWindow<Scalar>& window) {
  std::vector<Index> places;
  const Index newest = window.newest_place();
  for (Index place = std::min<Index>(1, newest); place <= newest; ++place)
    if (place >= 0) places.push_back(place);
  return places;
}

template <typename Scalar, typename Chosen>
std::vector<Index> classes_that(const vmf::VmfWindow<Scalar>& window, const Chosen& chosen) {
  std::vector<Index> classes;
  for (Index k = 0; k < window.classes(); ++k)
    if (chosen(window.storage[k])) classes.push_back(k);
  return classes;
}

bool is_active(vmf::ClassStorage storage) { return storage == vmf::ClassStorage::kActive; }
bool has_past_row(vmf::ClassStorage storage) { return storage != vmf::ClassStorage::kAtSource; }

template <typename Scalar>
Tensor chosen_rows(const std::string& name, const Rows<Scalar>& all, const std::vector<Index>& classes) {
  return to_tensor(name, Rows<Scalar>(all(classes, Eigen::all)));
}

template <typename Scalar>
Status load_chosen_rows(const AdapterState& state, const std::string& name, const std::vector<Index>& classes,
                        Rows<Scalar>& all) {
  STAD_ASSIGN(const Rows<Scalar> rows,
              read_unit_rows<Scalar>(state, name, static_cast<Index>(classes.size()), state.dimension));
  all.setZero(state.classes, state.dimension);
  for (std::size_t i = 0; i < classes.size(); ++i) all.row(classes[i]) = rows.row(static_cast<Index>(i));
  return {};
}

template <typename Scalar>
void save_step(const vmf::VmfWindow<Scalar>& window, Index i, std::vector<Tensor>& tensors) {
  const vmf::VmfStep<Scalar>& step = window.steps[i];
  const std::string prefix = step_prefix(i);
  tensors.push_back(to_tensor(prefix + "lengths", step.lengths));
  tensors.push_back(to_tensor(prefix + "proportions", step.proportions));
  if (window.compresses) {
    DoubleRows headings(window.classes(), 2);
    for (Index k = 0; k < window.classes(); ++k) headings.row(k) << step.headings[k].along, step.headings[k].across;
    tensors.push_back(to_tensor(prefix + "headings", headings));
  }
  if (!keeps_rows(window, i)) return;
  tensors.push_back(to_tensor(prefix + "features", step.features));
  tensors.push_back(to_tensor(prefix + "cosines", step.cosines));
  if (!step.ids.empty()) tensors.push_back(to_tensor(prefix + "ids", step.ids));
  if (!step.known.empty())
    tensors.push_back(to_tensor(prefix + "known", std::vector<std::int64_t>(step.known.begin(), step.known.end())));
}

template <typename Scalar>
Result<Rows<Scalar>> read_cosines(const AdapterState& state, const std::string& name, Index rows, Index cols) {
  STAD_ASSIGN(Rows<Scalar> cosines, read_rows<Scalar>(state, name, rows, cols));
  if (cosines.size() > 0 && static_cast<double>(cosines.cwiseAbs().maxCoeff()) > kLargestCosine)
    return invalid(fmt::format("state: tensor {} has values beyond 1, must be cosines", name));
  return cosines;
}

/// Row ids and labels of a step, where the state has them. Returns the number of tensors read.
template <typename Scalar>
Result<Index> load_labels(const AdapterState& state, const std::string& prefix, vmf::VmfStep<Scalar>& step) {
  using Limits = std::numeric_limits<std::int64_t>;
  Index count = 0;
  if (state.find(prefix + "ids")) {
    STAD_ASSIGN(step.ids, read_integers(state, prefix + "ids", step.features.rows(), Limits::min(), Limits::max()));
    ++count;
  }
  if (state.find(prefix + "known")) {
    STAD_ASSIGN(const auto known,
                read_integers(state, prefix + "known", step.features.rows(), vmf::kUnlabelled, state.classes - 1));
    step.known.assign(known.begin(), known.end());
    ++count;
  }
  return count;
}

template <typename Scalar>
Status load_step(const AdapterState& state, const vmf::VmfWindow<Scalar>& window, Index i, vmf::VmfStep<Scalar>& step) {
  const std::string prefix = step_prefix(i);
  STAD_ASSIGN(step.lengths, read_doubles(state, prefix + "lengths", state.classes, 0, kWhole));
  STAD_ASSIGN(step.proportions, read_doubles(state, prefix + "proportions", state.classes, 0, kWhole));
  step.mass.assign(static_cast<std::size_t>(state.classes), 0.0);
  step.agreements = step.mass;
  if (window.compresses) {
    STAD_ASSIGN(const DoubleRows headings, read_cosines<double>(state, prefix + "headings", state.classes, 2));
    for (Index k = 0; k < state.classes; ++k) step.headings.push_back({headings(k, 0), headings(k, 1)});
  }
  if (!keeps_rows(window, i)) return {};
  STAD_ASSIGN(step.features, read_unit_rows<Scalar>(state, prefix + "features", kAnyLength, state.dimension));
  STAD_ASSIGN(step.cosines, read_cosines<Scalar>(state, prefix + "cosines", state.classes, step.features.rows()));
  return {};
}

template <typename Scalar>
Status load_storage(const AdapterState& state, vmf::VmfWindow<Scalar>& window) {
  // The tensor is named `rest` in the file format since version 1.
  const auto most = static_cast<std::int64_t>(vmf::ClassStorage::kAtSource);
  STAD_ASSIGN(const auto rest, read_integers(state, "rest", state.classes, 0, most));
  STAD_ASSIGN(const auto idle, read_integers(state, "idle", state.classes, 0, 1'000'000'000'000'000));
  for (Index k = 0; k < state.classes; ++k) {
    window.storage[k] = static_cast<vmf::ClassStorage>(rest[k]);
    window.idle[k] = static_cast<Index>(idle[k]);
    if (window.storage[k] == vmf::ClassStorage::kInPlane && !window.full())
      return invalid(fmt::format("state: tensor rest of class {} is 1, which needs a full window", k));
  }
  return {};
}

/// Loads the labels of all steps that keep rows and returns the number of their tensors.
template <typename Scalar>
Result<Index> load_all_labels(const AdapterState& state, vmf::VmfWindow<Scalar>& window) {
  Index tensors = 0;
  for (Index i = 0; i < window.size(); ++i)
    if (keeps_rows(window, i)) {
      STAD_ASSIGN(const Index count, load_labels(state, step_prefix(i), window.steps[i]));
      tensors += count;
    }
  return tensors;
}

/// The number of tensors of a saved window, without those of labels.
template <typename Scalar>
Index window_tensors(const vmf::VmfWindow<Scalar>& window) {
  const Index kept_steps = window.size() - (window.full() && window.size() > 1 ? 1 : 0);
  return 3 + (window.compresses ? 2 + window.size() : 0) + 2 * window.size() + 2 * kept_steps +
         (window.full() ? 1 : 0) + static_cast<Index>(kept_places(window).size());
}

}  // namespace

template <typename Scalar>
std::vector<Tensor> StadVmfAdapter<Scalar>::save() const {
  std::vector<Tensor> tensors;
  tensors.push_back(to_tensor("steps", std::vector<std::int64_t>{static_cast<std::int64_t>(window_.size())}));
  tensors.push_back(to_tensor("kappa_trans", params_.transition));
  tensors.push_back(to_tensor("kappa_ems", params_.emission));
  if (window_.compresses) {
    std::vector<std::int64_t> rest;
    for (const vmf::ClassStorage value : window_.storage) rest.push_back(static_cast<std::int64_t>(value));
    tensors.push_back(to_tensor("rest", rest));
    tensors.push_back(to_tensor("idle", std::vector<std::int64_t>(window_.idle.begin(), window_.idle.end())));
  }
  for (Index i = 0; i < window_.size(); ++i) save_step(window_, i, tensors);
  if (window_.full())
    tensors.push_back(chosen_rows("past.directions", window_.past, classes_that(window_, has_past_row)));
  for (const Index place : kept_places(window_))
    tensors.push_back(chosen_rows(place_name(place), window_.directions[place], classes_that(window_, is_active)));
  return tensors;
}

template <typename Scalar>
Status StadVmfAdapter<Scalar>::load(const AdapterState& state) {
  vmf::VmfWindow<Scalar> window = empty_window();
  vmf::VmfParams params = params_;
  STAD_ASSIGN(const auto steps, read_integers(state, "steps", 1, 0, window.capacity));
  STAD_ASSIGN(params.transition,
              read_doubles(state, "kappa_trans", state.classes, kLeastConcentration, kLargestConcentration));
  STAD_ASSIGN(params.emission,
              read_doubles(state, "kappa_ems", state.classes, kLeastConcentration, kLargestConcentration));
  window.steps.resize(static_cast<std::size_t>(steps[0]));
  if (window.compresses) STAD_TRY(load_storage(state, window));
  for (Index i = 0; i < window.size(); ++i) STAD_TRY(load_step(state, window, i, window.steps[i]));
  STAD_ASSIGN(const Index label_tensors, load_all_labels(state, window));
  window.directions.resize(static_cast<std::size_t>(window.capacity));
  if (window.full())
    STAD_TRY(load_chosen_rows(state, "past.directions", classes_that(window, has_past_row), window.past));
  for (const Index place : kept_places(window))
    STAD_TRY(load_chosen_rows(state, place_name(place), classes_that(window, is_active), window.directions[place]));
  STAD_TRY(check_tensor_count(state, window_tensors(window) + label_tensors));
  vmf::restore_plane_products(window);
  params.update_normaliser(state.dimension);
  params_ = std::move(params);
  window_ = std::move(window);
  return {};
}

template std::vector<Tensor> StadVmfAdapter<float>::save() const;
template std::vector<Tensor> StadVmfAdapter<double>::save() const;
template Status StadVmfAdapter<float>::load(const AdapterState&);
template Status StadVmfAdapter<double>::load(const AdapterState&);

}  // namespace stad
