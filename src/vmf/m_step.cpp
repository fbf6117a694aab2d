#include "vmf/m_step.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/scratch.hpp"
#include "math/concentration.hpp"

namespace stad::vmf {
namespace {

double sum(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// A field of the steps, summed over the window.
template <typename Scalar>
std::span<const double> total(const std::vector<VmfStep<Scalar>>& steps, std::vector<double> VmfStep<Scalar>::*field,
                              Scratch& scratch) {
  const auto sums = scratch.take<double>(static_cast<Index>(steps.front().mass.size()));
  std::ranges::fill(sums, 0.0);
  for (const VmfStep<Scalar>& step : steps)
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += (step.*field)[k];
  return sums;
}

template <typename Scalar>
void learn_transition(const VmfWindow<Scalar>& window, LearnKappa learn, VmfParams& params) {
  if (window.steps.size() < 2) return;
  const std::vector<double>& agreements = window.transitions;
  const auto pairs = static_cast<double>(window.steps.size() - 1);
  const auto classes = static_cast<double>(agreements.size());
  const double shared = estimate_concentration(sum(agreements) / (pairs * classes), window.dimension());
  for (std::size_t k = 0; k < agreements.size(); ++k)
    params.transition[k] =
        learn == LearnKappa::kGlobal ? shared : estimate_concentration(agreements[k] / pairs, window.dimension());
}

template <typename Scalar>
void learn_emission(const VmfWindow<Scalar>& window, LearnKappa learn, VmfParams& params) {
  constexpr double kLeastMass = 1;  // a class with less than one sample's worth of evidence keeps its kappa
  Scratch scratch;
  const auto agreements = total(window.steps, &VmfStep<Scalar>::agreements, scratch);
  const auto mass = total(window.steps, &VmfStep<Scalar>::mass, scratch);
  if (learn == LearnKappa::kGlobal) {
    if (sum(mass) == 0) return;
    std::ranges::fill(params.emission, estimate_concentration(sum(agreements) / sum(mass), window.dimension()));
    return;
  }
  for (std::size_t k = 0; k < mass.size(); ++k)
    if (mass[k] >= kLeastMass) params.emission[k] = estimate_concentration(agreements[k] / mass[k], window.dimension());
}

}  // namespace

template <typename Scalar>
void update_proportions(VmfStep<Scalar>& step) {
  if (step.features.rows() == 0) return;
  const double share = 1 / static_cast<double>(step.features.rows());
  for (std::size_t k = 0; k < step.proportions.size(); ++k) step.proportions[k] = step.mass[k] * share;
}

template <typename Scalar>
void learn_concentrations(const VmfWindow<Scalar>& window, LearnKappa learn, VmfParams& params) {
  learn_transition(window, learn, params);
  learn_emission(window, learn, params);
  params.update_normaliser(window.dimension());
}

template void update_proportions(VmfStep<float>&);
template void update_proportions(VmfStep<double>&);
template void learn_concentrations(const VmfWindow<float>&, LearnKappa, VmfParams&);
template void learn_concentrations(const VmfWindow<double>&, LearnKappa, VmfParams&);

}  // namespace stad::vmf
