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
std::span<const double> total(const std::vector<Step<Scalar>>& steps, std::vector<double> Step<Scalar>::*field,
                              Scratch& scratch) {
  const auto sums = scratch.take<double>(static_cast<Index>(steps.front().mass.size()));
  std::ranges::fill(sums, 0.0);
  for (const Step<Scalar>& step : steps)
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += (step.*field)[k];
  return sums;
}

template <typename Scalar>
void learn_transition(const Window<Scalar>& window, LearnKappa learn, Params& params) {
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
void learn_emission(const Window<Scalar>& window, LearnKappa learn, Params& params) {
  constexpr double kLeastMass = 1;  // a class with less than one sample's worth of evidence keeps its kappa
  Scratch scratch;
  const auto agreements = total(window.steps, &Step<Scalar>::agreements, scratch);
  const auto mass = total(window.steps, &Step<Scalar>::mass, scratch);
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
void update_proportions(Step<Scalar>& step) {
  if (step.features.rows() == 0) return;
  const double share = 1 / static_cast<double>(step.features.rows());
  for (std::size_t k = 0; k < step.proportions.size(); ++k) step.proportions[k] = step.mass[k] * share;
}

template <typename Scalar>
void learn_concentrations(const Window<Scalar>& window, LearnKappa learn, Params& params) {
  learn_transition(window, learn, params);
  learn_emission(window, learn, params);
  params.update_normaliser(window.dimension());
}

template void update_proportions(Step<float>&);
template void update_proportions(Step<double>&);
template void learn_concentrations(const Window<float>&, LearnKappa, Params&);
template void learn_concentrations(const Window<double>&, LearnKappa, Params&);

}  // namespace stad::vmf
