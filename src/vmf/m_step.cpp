#include "vmf/m_step.hpp"

#include <algorithm>
#include <numeric>

#include "math/concentration.hpp"

namespace stad::vmf {
namespace {

template <typename Scalar>
std::vector<double> total(const std::vector<Step<Scalar>>& steps, std::vector<double> Step<Scalar>::*field) {
  std::vector<double> sums(steps.front().lengths.size(), 0.0);
  for (const Step<Scalar>& step : steps)
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += (step.*field)[k];
  return sums;
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

template <typename Scalar>
void learn_transition(const Window<Scalar>& window, LearnKappa learn, Params& params) {
  if (window.steps.size() < 2) return;
  const std::vector<double>& agreements = window.transitions;
  const auto pairs = static_cast<double>(window.steps.size() - 1);
  const auto classes = static_cast<double>(agreements.size());
  const Index dimension = window.dimension();
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
  const Index dimension = window.dimension();
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
