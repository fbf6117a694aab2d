#include "vmf/m_step.hpp"

#include <algorithm>
#include <numeric>

#include "math/concentration.hpp"
#include "math/inner_product.hpp"

namespace stad::vmf {
namespace {

/// sum over consecutive pairs of E[w_before,k].E[w_after,k], for every class.
std::vector<double> transition_agreements(const std::deque<Step>& steps) {
  std::vector<double> sums(steps.front().prototypes.lengths.size(), 0.0);
  for (std::size_t i = 1; i < steps.size(); ++i) {
    const Prototypes& before = steps[i - 1].prototypes;
    const Prototypes& after = steps[i].prototypes;
    for (std::size_t k = 0; k < sums.size(); ++k)
      sums[k] +=
          before.lengths[k] * after.lengths[k] * inner_product(before.directions.row(k), after.directions.row(k));
  }
  return sums;
}

std::vector<double> total(const std::deque<Step>& steps, std::vector<double> Step::*field) {
  std::vector<double> sums(steps.front().prototypes.lengths.size(), 0.0);
  for (const Step& step : steps)
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += (step.*field)[k];
  return sums;
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

void learn_transition(const Window& window, LearnKappa learn, Params& params) {
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

void learn_emission(const Window& window, LearnKappa learn, Params& params) {
  constexpr double kLeastMass = 1;  // fewer than one sample's worth of evidence: keep the kappa
  const auto agreements = total(window.steps, &Step::agreements);
  const auto mass = total(window.steps, &Step::mass);
  const Index dimension = window.source.directions.cols();
  if (learn == LearnKappa::kGlobal) {
    if (sum(mass) < kLeastMass) return;
    std::fill(params.emission.begin(), params.emission.end(),
              estimate_concentration(sum(agreements) / sum(mass), dimension));
    return;
  }
  for (std::size_t k = 0; k < mass.size(); ++k)
    if (mass[k] >= kLeastMass) params.emission[k] = estimate_concentration(agreements[k] / mass[k], dimension);
}

}  // namespace

void update_proportions(Step& step) {
  if (step.features.rows() == 0) return;
  const double share = 1 / static_cast<double>(step.features.rows());
  for (std::size_t k = 0; k < step.proportions.size(); ++k) step.proportions[k] = step.mass[k] * share;
}

Params learn_concentrations(const Window& window, const Params& params, LearnKappa learn) {
  Params learned = params;
  if (learn == LearnKappa::kNone) return learned;
  learn_transition(window, learn, learned);
  learn_emission(window, learn, learned);
  return learned;
}

}  // namespace stad::vmf
