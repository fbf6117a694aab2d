#include "vmf/m_step.hpp"

#include <algorithm>
#include <numeric>

#include "math/concentration.hpp"
#include "math/inner_product.hpp"

namespace stad::vmf {
namespace {

/// sum over consecutive pairs of E[w_before,k].E[w_after,k], for every class.
template <typename Scalar>
std::vector<double> transition_agreements(const std::deque<Step<Scalar>>& steps) {
  std::vector<double> sums(steps.front().prototypes.lengths.size(), 0.0);
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const Prototypes<Scalar>& before = steps[i - 1].prototypes;
    const Prototypes<Scalar>& after = steps[i].prototypes;
    for (Index k = 0; k < before.directions.rows(); ++k)
      sums[k] += before.lengths[k] * after.lengths[k] *
                 inner_product(row_of(before.directions, k), row_of(after.directions, k));
  }
  return sums;
}

template <typename Scalar>
std::vector<double> total(const std::deque<Step<Scalar>>& steps, std::vector<double> Step<Scalar>::*field) {
  std::vector<double> sums(steps.front().prototypes.lengths.size(), 0.0);
  for (const Step<Scalar>& step : steps)
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += (step.*field)[k];
  return sums;
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

template <typename Scalar>
void learn_transition(const Window<Scalar>& window, LearnKappa learn, Params& params) {
  if (window.steps.size() < 2) return;
  const auto agreements = transition_agreements(window.steps);
  const auto pairs = static_cast<double>(window.steps.size() - 1);
  const auto classes = static_cast<double>(agreements.size());
  const Index dimension = window.source.directions.cols();
  const double shared = estimate_concentration(sum(agreements) / (pairs * classes), dimension);
  for (std::size_t k = 0; k < agreements.size(); ++k)
    params.transition[k] =
        learn == LearnKappa::kGlobal ? shared : estimate_concentration(agreements[k] / pairs, dimension);
}

template <typename Scalar>
void learn_emission(const Window<Scalar>& window, LearnKappa learn, Params& params) {
  constexpr double kLeastMass = 1;  // a class with less than one sample's worth of evidence keeps its kappa
  const auto agreements = total(window.steps, &Step<Scalar>::agreements);
  const auto mass = total(window.steps, &Step<Scalar>::mass);
  const Index dimension = window.source.directions.cols();
  if (learn == LearnKappa::kGlobal) {
    if (sum(mass) == 0) return;
    std::fill(params.emission.begin(), params.emission.end(),
              estimate_concentration(sum(agreements) / sum(mass), dimension));
    return;
  }
  for (std::size_t k = 0; k < mass.size(); ++k)
    if (mass[k] >= kLeastMass) params.emission[k] = estimate_concentration(agreements[k] / mass[k], dimension);
}

}  // namespace

template <typename Scalar>
void update_proportions(Step<Scalar>& step) {
  if (step.features.rows() == 0) return;
  const double share = 1 / static_cast<double>(step.features.rows());
  for (std::size_t k = 0; k < step.proportions.size(); ++k) step.proportions[k] = step.mass[k] * share;
}

template <typename Scalar>
Params learn_concentrations(const Window<Scalar>& window, const Params& params, LearnKappa learn) {
  Params learned = params;
  if (learn == LearnKappa::kNone) return learned;
  learn_transition(window, learn, learned);
  learn_emission(window, learn, learned);
  return learned;
}

template void update_proportions(Step<float>&);
template void update_proportions(Step<double>&);
template Params learn_concentrations(const Window<float>&, const Params&, LearnKappa);
template Params learn_concentrations(const Window<double>&, const Params&, LearnKappa);

}  // namespace stad::vmf
