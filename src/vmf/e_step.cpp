#include "vmf/e_step.hpp"

#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "data/evidence.hpp"
#include "math/bessel_ratio.hpp"
#include "math/inner_product.hpp"
#include "math/log_normaliser.hpp"
#include "math/softmax.hpp"
#include "vmf/m_step.hpp"

namespace stad::vmf {
namespace {

template <typename Scalar>
std::vector<double> assignment_scales(const Step<Scalar>& step, const Params& params) {
  std::vector<double> scales = params.emission;
  for (std::size_t k = 0; k < scales.size(); ++k) scales[k] *= step.prototypes.lengths[k];
  return scales;
}

template <typename Scalar>
std::vector<double> assignment_offsets(const Step<Scalar>& step, const Params& params) {
  std::vector<double> offsets(step.proportions.size());
  for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] = log_proportion(step.proportions[k]);
  if (params.shares_emission()) return offsets;
  for (std::size_t k = 0; k < offsets.size(); ++k)
    offsets[k] += log_normaliser(step.prototypes.directions.cols(), params.emission[k]);
  return offsets;
}

/// kappa_k E[w_k] of a neighbour, added to a row of beta.
template <typename Scalar>
void add_message(const Message<Scalar>& message, Index k, std::span<Scalar> beta) {
  if (!message.from) return;
  const auto strength = static_cast<Scalar>(message.kappa[k] * message.from->lengths[k]);
  as_array(beta) += strength * as_array(row_of(message.from->directions, k));
}

}  // namespace

template <typename Scalar>
DoubleRows class_logits(const Rows<Scalar>& features, const Rows<Scalar>& directions, const std::vector<double>& scales,
                        const std::vector<double>& offsets) {
  const Index classes = directions.rows();
  DoubleRows logits(features.rows(), classes);
  parallel_for_runs(classes, features.size(), [&](Index first, Index length) {
    const Rows<Scalar> cosines = features * directions.middleRows(first, length).transpose();
    const auto scale = as_array(std::span(scales)).segment(first, length).transpose();
    const auto offset = as_array(std::span(offsets)).segment(first, length).transpose();
    logits.middleCols(first, length) = (cosines.template cast<double>().array().rowwise() * scale).rowwise() + offset;
  });
  return logits;
}

template <typename Scalar>
Rows<Scalar> assign(const Step<Scalar>& step, const Params& params) {
  const DoubleRows logits = class_logits(step.features, step.prototypes.directions, assignment_scales(step, params),
                                         assignment_offsets(step, params));
  Rows<Scalar> responsibilities(logits.rows(), logits.cols());
  for (Index n = 0; n < logits.rows(); ++n) softmax(row_of(std::as_const(logits), n), row_of(responsibilities, n));
  return responsibilities;
}

template <typename Scalar>
void update_prototypes(Step<Scalar>& step, const Message<Scalar>& before, const Message<Scalar>& after,
                       const Params& params) {
  Prototypes<Scalar>& prototypes = step.prototypes;
  Rows<Scalar>& directions = prototypes.directions;
  const Index dimension = directions.cols();
  const Rows<Scalar>& lambda = step.responsibilities;
  step.mass.assign(prototypes.lengths.size(), 0.0);
  step.agreements.assign(prototypes.lengths.size(), 0.0);

  parallel_for_runs(directions.rows(), step.features.size(), [&](Index first, Index length) {
    const Rows<Scalar> evidence = lambda.middleCols(first, length).transpose() * step.features;  // sum_n lambda_nk h_n
    std::vector<Scalar, CacheLineAllocator<Scalar>> beta(static_cast<std::size_t>(dimension));
    for (Index k = first; k < first + length; ++k) {
      const auto evidence_k = row_of(evidence, k - first);
      as_array(std::span(beta)) = static_cast<Scalar>(params.emission[k]) * as_array(evidence_k);
      add_message(before, k, std::span(beta));
      add_message(after, k, std::span(beta));
      const double gamma = std::sqrt(inner_product(std::span<const Scalar>(beta), beta));
      if (gamma > kNoEvidence) {
        directions.row(k) = as_array(std::span(beta)) * static_cast<Scalar>(1 / gamma);
        prototypes.concentrations[k] = gamma;
        prototypes.lengths[k] = bessel_ratio(dimension, gamma);
      }
      step.mass[k] = lambda.col(k).template cast<double>().sum();
      step.agreements[k] = prototypes.lengths[k] * inner_product(row_of(std::as_const(directions), k), evidence_k);
    }
  });
}

template <typename Scalar>
void sweep(Window<Scalar>& window, const Params& params) {
  const std::vector<double> initial(params.transition.size(), params.initial);
  const Message<Scalar> source{&window.source, initial};
  const Message<Scalar> none;
  auto& steps = window.steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto neighbour = [&](const Prototypes<Scalar>& prototypes) {
      return Message<Scalar>{&prototypes, params.transition};
    };
    const Message<Scalar> oldest = window.past ? neighbour(*window.past) : source;
    const Message<Scalar> before = i == 0 ? oldest : neighbour(steps[i - 1].prototypes);
    const Message<Scalar> after = i + 1 == steps.size() ? none : neighbour(steps[i + 1].prototypes);

    steps[i].responsibilities = assign(steps[i], params);
    update_prototypes(steps[i], before, after, params);
    update_proportions(steps[i]);
  }
}

template <typename Scalar>
void sweep_alone(Step<Scalar>& step, const Params& params) {
  step.responsibilities = assign(step, params);
  update_prototypes(step, {}, {}, params);
  update_proportions(step);
}

#define STAD_INSTANTIATE(Scalar)                                                                                 \
  template DoubleRows class_logits(const Rows<Scalar>&, const Rows<Scalar>&, const std::vector<double>&,         \
                                   const std::vector<double>&);                                                  \
  template Rows<Scalar> assign(const Step<Scalar>&, const Params&);                                              \
  template void update_prototypes(Step<Scalar>&, const Message<Scalar>&, const Message<Scalar>&, const Params&); \
  template void sweep(Window<Scalar>&, const Params&);                                                           \
  template void sweep_alone(Step<Scalar>&, const Params&);

STAD_INSTANTIATE(float)
STAD_INSTANTIATE(double)

}  // namespace stad::vmf
