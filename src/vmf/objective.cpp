#include "vmf/objective.hpp"

#include <cmath>

#include "data/evidence.hpp"
#include "math/inner_product.hpp"
#include "math/log_normaliser.hpp"

namespace stad::vmf {
namespace {

/// sum_k log C_D(kappa_k) + kappa_k E[w_before,k].E[w_after,k]
template <typename Scalar>
double transition_term(const Prototypes<Scalar>& before, const Prototypes<Scalar>& after,
                       const std::vector<double>& kappa) {
  double sum = 0;
  for (Index k = 0; k < after.directions.rows(); ++k) {
    const double cosine = inner_product(row_of(before.directions, k), row_of(after.directions, k));
    sum += log_normaliser(after.directions.cols(), kappa[k]) + kappa[k] * before.lengths[k] * after.lengths[k] * cosine;
  }
  return sum;
}

/// sum_nk lambda_nk (log pi_k + log C_D(kappa_k) + kappa_k E[w_k].h_n - log lambda_nk)
template <typename Scalar>
double emission_term(const Step<Scalar>& step, const Params& params) {
  const auto& [directions, concentrations, lengths] = step.prototypes;
  double sum = 0;
  for (Index k = 0; k < directions.rows(); ++k) {
    const double kappa = params.emission[k];
    const double constant = log_proportion(step.proportions[k]) + log_normaliser(directions.cols(), kappa);
    for (Index n = 0; n < step.features.rows(); ++n) {
      const double lambda = step.responsibilities(n, k);
      if (lambda == 0) continue;
      const double cosine = inner_product(row_of(directions, k), row_of(step.features, n));
      sum += lambda * (constant + kappa * lengths[k] * cosine - std::log(lambda));
    }
  }
  return sum;
}

/// Entropy of q(w): -log C_D(gamma) - gamma A_D(gamma).
template <typename Scalar>
double prototype_entropy(const Prototypes<Scalar>& prototypes) {
  double sum = 0;
  for (std::size_t k = 0; k < prototypes.lengths.size(); ++k) {
    const double gamma = prototypes.concentrations[k];
    sum -= log_normaliser(prototypes.directions.cols(), gamma) + gamma * prototypes.lengths[k];
  }
  return sum;
}

}  // namespace

template <typename Scalar>
double objective(const Window<Scalar>& window, const Params& params) {
  double sum = 0;
  const Prototypes<Scalar>* before = window.past ? &*window.past : &window.source;
  std::vector<double> kappa = window.past ? params.transition : std::vector(params.transition.size(), params.initial);
  for (const Step<Scalar>& step : window.steps) {
    sum += transition_term(*before, step.prototypes, kappa);
    sum += emission_term(step, params);
    sum += prototype_entropy(step.prototypes);
    before = &step.prototypes;
    kappa = params.transition;
  }
  return sum;
}

template double objective(const Window<float>&, const Params&);
template double objective(const Window<double>&, const Params&);

}  // namespace stad::vmf
