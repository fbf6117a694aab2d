#include "vmf/objective.hpp"

#include <cmath>

#include "math/inner_product.hpp"
#include "math/log_normaliser.hpp"
#include "vmf/e_step.hpp"

namespace stad::vmf {
namespace {

/// sum_k log C_D(kappa_k) + kappa_k E[w_before,k].E[w_after,k]
double transition_term(const Prototypes& before, const Prototypes& after, const std::vector<double>& kappa) {
  double sum = 0;
  for (Index k = 0; k < after.directions.rows(); ++k) {
    const double cosine = inner_product(before.directions.row(k), after.directions.row(k));
    sum += log_normaliser(after.directions.cols(), kappa[k]) + kappa[k] * before.lengths[k] * after.lengths[k] * cosine;
  }
  return sum;
}

/// sum_nk lambda_nk (log pi_k + log C_D(kappa_k) + kappa_k E[w_k].h_n - log lambda_nk)
double emission_term(const Step& step, const Params& params) {
  const auto& [directions, concentrations, lengths] = step.prototypes;
  double sum = 0;
  for (Index k = 0; k < directions.rows(); ++k) {
    const double kappa = params.emission[k];
    const double constant = log_proportion(step.proportions[k]) + log_normaliser(directions.cols(), kappa);
    for (Index n = 0; n < step.features.rows(); ++n) {
      const double lambda = step.responsibilities(n, k);
      if (lambda == 0) continue;
      const double cosine = inner_product(directions.row(k), step.features.row(n));
      sum += lambda * (constant + kappa * lengths[k] * cosine - std::log(lambda));
    }
  }
  return sum;
}

/// Entropy of q(w): -log C_D(gamma) - gamma A_D(gamma).
double prototype_entropy(const Prototypes& prototypes) {
  double sum = 0;
  for (std::size_t k = 0; k < prototypes.lengths.size(); ++k) {
    const double gamma = prototypes.concentrations[k];
    sum -= log_normaliser(prototypes.directions.cols(), gamma) + gamma * prototypes.lengths[k];
  }
  return sum;
}

}  // namespace

double objective(const Window& window, const Params& params) {
  double sum = 0;
  const Prototypes* before = window.past ? &*window.past : &window.source;
  std::vector<double> kappa = window.past ? params.transition : std::vector(params.transition.size(), params.initial);
  for (const Step& step : window.steps) {
    sum += transition_term(*before, step.prototypes, kappa);
    sum += emission_term(step, params);
    sum += prototype_entropy(step.prototypes);
    before = &step.prototypes;
    kappa = params.transition;
  }
  return sum;
}

}  // namespace stad::vmf
