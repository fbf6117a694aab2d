// How stad-vmf's memory becomes named tensors and back.

#include <cmath>

#include <fmt/format.h>

#include "adapt/stad_vmf_adapter.hpp"
#include "adapt/state_tensors.hpp"
#include "base/try.hpp"
#include "math/bessel_ratio.hpp"
#include "math/concentration.hpp"

namespace stad {
namespace {

template <typename Scalar>
void save_prototypes(const std::string& prefix, const vmf::Prototypes<Scalar>& prototypes,
                     std::vector<Tensor>& tensors) {
  // An infinite concentration (a certain prototype) is written as zero: tensors hold finite values only.
  std::vector<double> concentrations = prototypes.concentrations;
  for (double& gamma : concentrations)
    if (!std::isfinite(gamma)) gamma = 0;
  tensors.push_back(to_tensor(prefix + "directions", prototypes.directions));
  tensors.push_back(to_tensor(prefix + "concentrations", concentrations));
}

template <typename Scalar>
Result<vmf::Prototypes<Scalar>> load_prototypes(const AdapterState& state, const std::string& prefix) {
  STAD_ASSIGN(Rows<Scalar> directions,
              read_unit_rows<Scalar>(state, prefix + "directions", state.classes, state.dimension));
  STAD_ASSIGN(const auto concentrations,
              read_doubles(state, prefix + "concentrations", state.classes, 0, kLargestTensorValue));
  auto prototypes = vmf::Prototypes<Scalar>::at(std::move(directions));
  for (std::size_t k = 0; k < concentrations.size(); ++k) {
    if (concentrations[k] == 0) continue;
    prototypes.concentrations[k] = concentrations[k];
    prototypes.lengths[k] = bessel_ratio(state.dimension, concentrations[k]);
  }
  return prototypes;
}

std::string step_prefix(std::size_t i) { return fmt::format("step{}.", i); }

template <typename Scalar>
Result<vmf::Step<Scalar>> load_step(const AdapterState& state, const std::string& prefix) {
  vmf::Step<Scalar> step;
  STAD_ASSIGN(step.features, read_unit_rows<Scalar>(state, prefix + "features", kAnyLength, state.dimension));
  STAD_ASSIGN(step.prototypes, load_prototypes<Scalar>(state, prefix));
  STAD_ASSIGN(step.proportions, read_doubles(state, prefix + "proportions", state.classes, 0, kWhole));
  return step;
}

}  // namespace

template <typename Scalar>
std::vector<Tensor> StadVmfAdapter<Scalar>::save() const {
  std::vector<Tensor> tensors;
  tensors.push_back(to_tensor("steps", std::vector<std::int64_t>{static_cast<std::int64_t>(window_.steps.size())}));
  tensors.push_back(to_tensor("has_past", std::vector<std::int64_t>{window_.past ? 1 : 0}));
  tensors.push_back(to_tensor("kappa_trans", params_.transition));
  tensors.push_back(to_tensor("kappa_ems", params_.emission));
  if (window_.past) save_prototypes("past.", *window_.past, tensors);
  for (std::size_t i = 0; i < window_.steps.size(); ++i) {
    const auto& step = window_.steps[i];
    tensors.push_back(to_tensor(step_prefix(i) + "features", step.features));
    save_prototypes(step_prefix(i), step.prototypes, tensors);
    tensors.push_back(to_tensor(step_prefix(i) + "proportions", step.proportions));
  }
  return tensors;
}

template <typename Scalar>
Status StadVmfAdapter<Scalar>::load(const AdapterState& state) {
  STAD_ASSIGN(const auto steps, read_integers(state, "steps", 1, 0, options_.window + 1));
  STAD_ASSIGN(const auto has_past, read_integers(state, "has_past", 1, 0, 1));
  STAD_TRY(check_tensor_count(state, 4 + 2 * has_past[0] + 4 * steps[0]));
  vmf::Params params = params_;
  STAD_ASSIGN(params.transition,
              read_doubles(state, "kappa_trans", state.classes, kLeastConcentration, kLargestConcentration));
  STAD_ASSIGN(params.emission,
              read_doubles(state, "kappa_ems", state.classes, kLeastConcentration, kLargestConcentration));

  vmf::Window<Scalar> window;
  window.source = window_.source;
  if (has_past[0] == 1) {
    STAD_ASSIGN(window.past, load_prototypes<Scalar>(state, "past."));
  }
  for (std::int64_t i = 0; i < steps[0]; ++i) {
    STAD_ASSIGN(auto step, load_step<Scalar>(state, step_prefix(static_cast<std::size_t>(i))));
    window.steps.push_back(std::move(step));
  }
  params_ = std::move(params);
  window_ = std::move(window);
  return {};
}

template std::vector<Tensor> StadVmfAdapter<float>::save() const;
template std::vector<Tensor> StadVmfAdapter<double>::save() const;
template Status StadVmfAdapter<float>::load(const AdapterState&);
template Status StadVmfAdapter<double>::load(const AdapterState&);

}  // namespace stad
