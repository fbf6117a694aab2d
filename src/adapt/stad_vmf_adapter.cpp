#include "adapt/stad_vmf_adapter.hpp"

#include "adapt/answer.hpp"
#include "data/evidence.hpp"
#include "math/log_normaliser.hpp"
#include "math/unit_rows.hpp"
#include "vmf/e_step.hpp"
#include "vmf/m_step.hpp"

namespace stad {

template <typename Scalar>
StadVmfAdapter<Scalar>::StadVmfAdapter(SourceModel source, const StadVmfOptions& options)
    : Adapter(std::move(source)), options_(options), params_(initial_params()) {
  window_.source = vmf::Prototypes<Scalar>::at(unit_rows<Scalar>(this->source().weight()).rows);
}

/// Algorithm 1 of the paper for one batch.
template <typename Scalar>
Status StadVmfAdapter<Scalar>::adapt_checked(const Batch& batch, Predictions& answer) {
  auto [unit, directed] = represent(batch.features);
  DoubleRows served;
  if (options_.predict == Predict::kBefore) served = logits(unit);
  slide(std::move(unit));
  fit_window();
  if (options_.predict == Predict::kAfter) served = logits(window_.newest().features);
  serve(served, directed, batch.features.rows, answer);
  return {};
}

template <typename Scalar>
Status StadVmfAdapter<Scalar>::predict_checked(const Batch& batch, Predictions& answer) const {
  const auto [unit, directed] = represent(batch.features);
  serve(logits(unit), directed, batch.features.rows, answer);
  return {};
}

template <typename Scalar>
UnitRows<Scalar> StadVmfAdapter<Scalar>::represent(MatrixView features) const {
  return unit_rows<Scalar>(features,
                           options_.center == Center::kSource ? this->source().mean() : std::span<const float>());
}

template <typename Scalar>
void StadVmfAdapter<Scalar>::slide(Rows<Scalar> features) {
  const bool continues = options_.dynamics && options_.init == Init::kPrevious;
  vmf::Step<Scalar> step;
  step.prototypes = continues ? current() : window_.source;
  step.features = std::move(features);
  step.proportions = uniform_proportions();
  window_.steps.push_back(std::move(step));

  const auto kept = static_cast<std::size_t>(options_.dynamics ? options_.window + 1 : 1);
  while (window_.steps.size() > kept) {
    if (options_.dynamics) window_.past = std::move(window_.steps.front().prototypes);
    window_.steps.pop_front();
  }
}

template <typename Scalar>
void StadVmfAdapter<Scalar>::fit_window() {
  if (!options_.dynamics) params_ = initial_params();  // every batch by itself: nothing learned is carried over
  for (Index sweep = 0; sweep < options_.sweeps; ++sweep) {
    if (options_.dynamics)
      vmf::sweep(window_, params_);
    else
      vmf::sweep_alone(window_.newest(), params_);
    params_ = vmf::learn_concentrations(window_, params_, options_.learn_kappa);
  }
}

template <typename Scalar>
DoubleRows StadVmfAdapter<Scalar>::logits(const Rows<Scalar>& features) const {
  const auto classes = params_.emission.size();
  std::vector<double> scales(classes, 1.0);
  std::vector<double> offsets(classes, 0.0);
  if (options_.probabilities != VmfProbabilities::kPaper) {
    scales = params_.emission;
    if (!params_.shares_emission())
      for (std::size_t k = 0; k < classes; ++k) offsets[k] = log_normaliser(this->source().dimension(), scales[k]);
  }
  if (options_.probabilities == VmfProbabilities::kPosterior) {
    const auto proportions = window_.steps.empty() ? uniform_proportions() : window_.newest().proportions;
    for (std::size_t k = 0; k < classes; ++k) offsets[k] += log_proportion(proportions[k]);
  }
  return vmf::class_logits(features, current().directions, scales, offsets);
}

template <typename Scalar>
const vmf::Prototypes<Scalar>& StadVmfAdapter<Scalar>::current() const {
  return window_.steps.empty() ? window_.source : window_.newest().prototypes;
}

template <typename Scalar>
vmf::Params StadVmfAdapter<Scalar>::initial_params() const {
  return {options_.kappa_0, options_.kappa_trans, options_.kappa_ems, this->source().classes()};
}

template <typename Scalar>
std::vector<double> StadVmfAdapter<Scalar>::uniform_proportions() const {
  const Index classes = this->source().classes();
  return std::vector<double>(static_cast<std::size_t>(classes), 1 / static_cast<double>(classes));
}

template class StadVmfAdapter<float>;
template class StadVmfAdapter<double>;

}  // namespace stad
