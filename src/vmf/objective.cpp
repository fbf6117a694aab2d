#include "vmf/objective.hpp"

#include <cmath>
#include <span>
#include <utility>

#include "base/check.hpp"
#include "data/evidence.hpp"
#include "math/bessel_ratio.hpp"
#include "math/inner_product.hpp"
#include "math/log_normaliser.hpp"
#include "vmf/assign.hpp"

namespace stad::vmf {
namespace {

/// rho of one class at one step, and the length of its mean.
template <typename Scalar>
struct Mean {
  std::span<const Scalar> direction;
  double length = 1;
};

/// sum_k log C_D(kappa_k) + kappa_k E[w_before,k].E[w_after,k]
template <typename Scalar>
double transition_term(const Mean<Scalar>& before, const Mean<Scalar>& after, double kappa) {
  return log_normaliser(static_cast<Index>(after.direction.size()), kappa) +
         kappa * before.length * after.length * inner_product(before.direction, after.direction);
}

/// sum_n lambda_nk (log pi_k + log C_D(kappa_k) + kappa_k E[w_k].h_n - log lambda_nk)
template <typename Scalar>
double emission_term(const VmfStep<Scalar>& step, Index k, std::span<const Scalar> lambda, double kappa) {
  const double constant = log_proportion(step.proportions[k]) + log_normaliser(step.features.cols(), kappa);
  double sum = 0;
  for (Index n = 0; n < step.features.rows(); ++n)
    if (lambda[n] > 0)
      sum += lambda[n] * (constant + kappa * step.lengths[k] * step.cosines(k, n) - std::log(lambda[n]));
  return sum;
}

/// The gamma whose mean has this length.
double concentration_of(Index dimension, double length) {
  double low = 0;
  double high = 1e7;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (bessel_ratio(dimension, middle) < length ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

/// Entropy of q(w): -log C_D(gamma) - gamma A_D(gamma).
double prototype_entropy(Index dimension, double length) {
  const double gamma = concentration_of(dimension, length);
  return -log_normaliser(dimension, gamma) - gamma * length;
}

}  // namespace

template <typename Scalar>
double objective(VmfWindow<Scalar>& window, const VmfParams& params) {
  STAD_CHECK(window.keeps_all && !window.compresses);
  double sum = 0;
  for (Index i = 0; i < window.size(); ++i) {
    VmfStep<Scalar>& step = window.steps[i];
    Rows<Scalar> lambda(window.classes(), step.features.rows());
    assign(step, params, window.negligible, RowsMap<Scalar>(lambda.data(), lambda.rows(), lambda.cols()));
    for (Index k = 0; k < window.classes(); ++k) {
      const auto mean = [&](const Rows<Scalar>& directions, double length) {
        return Mean<Scalar>{row_of(directions, k), length};
      };
      const Mean<Scalar> own = mean(window.directions[i], step.lengths[k]);
      if (i > 0)
        sum +=
            transition_term(mean(window.directions[i - 1], window.steps[i - 1].lengths[k]), own, params.transition[k]);
      else if (window.has_past())
        sum += transition_term(mean(window.past, window.past_lengths[k]), own, params.transition[k]);
      else
        sum += transition_term(mean(window.source, 1), own, params.initial);
      sum += emission_term(step, k, row_of(std::as_const(lambda), k), params.emission[k]);
      sum += prototype_entropy(window.dimension(), step.lengths[k]);
    }
  }
  return sum;
}

template double objective(VmfWindow<float>&, const VmfParams&);
template double objective(VmfWindow<double>&, const VmfParams&);

}  // namespace stad::vmf
