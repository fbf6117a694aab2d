#include "vmf/e_step.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "math/bessel_ratio.hpp"
#include "math/inner_product.hpp"
#include "math/log_normaliser.hpp"
#include "math/softmax.hpp"
#include "vmf/m_step.hpp"

namespace stad::vmf {
namespace {

constexpr double kLeastProportion = 1e-8;
constexpr double kNoEvidence = 1e-12;

std::vector<double> assignment_scales(const Step& step, const Params& params) {
  std::vector<double> scales = params.emission;
  for (std::size_t k = 0; k < scales.size(); ++k) scales[k] *= step.prototypes.lengths[k];
  return scales;
}

std::vector<double> assignment_offsets(const Step& step, const Params& params) {
  std::vector<double> offsets(step.proportions.size());
  for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] = log_proportion(step.proportions[k]);
  if (params.shares_emission()) return offsets;
  for (std::size_t k = 0; k < offsets.size(); ++k)
    offsets[k] += log_normaliser(step.prototypes.directions.cols(), params.emission[k]);
  return offsets;
}

/// kappa_k E[w_k] of a neighbour, added to a row of beta.
void add_message(const Message& message, Index k, std::span<float> beta) {
  if (!message.from) return;
  const auto strength = static_cast<float>(message.kappa[k] * message.from->lengths[k]);
  as_array(beta) += strength * as_array(message.from->directions.row(k));
}

}  // namespace

double log_proportion(double proportion) { return std::log(std::max(proportion, kLeastProportion)); }

DoubleRows class_logits(const Matrix& features, const Matrix& directions, const std::vector<double>& scales,
                        const std::vector<double>& offsets) {
  const Index classes = directions.rows();
  const auto h = as_eigen(features);
  const auto rho = as_eigen(directions);
  DoubleRows logits(features.rows(), classes);
  parallel_for_runs(classes, features.size(), [&](Index first, Index length) {
    const FloatRows cosines = h * rho.middleRows(first, length).transpose();
    const auto scale = as_array(std::span(scales)).segment(first, length).transpose();
    const auto offset = as_array(std::span(offsets)).segment(first, length).transpose();
    logits.middleCols(first, length) = (cosines.cast<double>().array().rowwise() * scale).rowwise() + offset;
  });
  return logits;
}

Matrix assign(const Step& step, const Params& params) {
  const DoubleRows logits = class_logits(step.features, step.prototypes.directions, assignment_scales(step, params),
                                         assignment_offsets(step, params));
  Matrix responsibilities(logits.rows(), logits.cols());
  for (Index n = 0; n < logits.rows(); ++n)
    softmax(std::span(logits.row(n).data(), logits.cols()), responsibilities.row(n));
  return responsibilities;
}

void update_prototypes(Step& step, const Message& before, const Message& after, const Params& params) {
  auto& [directions, concentrations, lengths] = step.prototypes;
  const Index dimension = directions.cols();
  const auto h = as_eigen(step.features);
  const auto lambda = as_eigen(step.responsibilities);
  step.mass.assign(lengths.size(), 0.0);
  step.agreements.assign(lengths.size(), 0.0);

  parallel_for_runs(directions.rows(), step.features.size(), [&](Index first, Index length) {
    Matrix evidence(length, dimension);  // sum_n lambda_nk h_n
    as_eigen(evidence).noalias() = lambda.middleCols(first, length).transpose() * h;
    Matrix beta(1, dimension);
    for (Index k = first; k < first + length; ++k) {
      const auto evidence_k = evidence.row(k - first);
      as_array(beta.row(0)) = static_cast<float>(params.emission[k]) * as_array(std::span<const float>(evidence_k));
      add_message(before, k, beta.row(0));
      add_message(after, k, beta.row(0));
      const double gamma = std::sqrt(inner_product(beta.row(0), beta.row(0)));
      if (gamma > kNoEvidence) {
        as_array(directions.row(k)) = as_array(beta.row(0)) * static_cast<float>(1 / gamma);
        concentrations[k] = gamma;
        lengths[k] = bessel_ratio(dimension, gamma);
      }
      step.mass[k] = lambda.col(k).cast<double>().sum();
      step.agreements[k] = lengths[k] * inner_product(directions.row(k), evidence_k);
    }
  });
}

void sweep(Window& window, const Params& params) {
  const std::vector<double> initial(params.transition.size(), params.initial);
  const Message source{&window.source, initial};
  const Message none;
  auto& steps = window.steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto neighbour = [&](const Prototypes& prototypes) { return Message{&prototypes, params.transition}; };
    const Message oldest = window.past ? neighbour(*window.past) : source;
    const Message before = i == 0 ? oldest : neighbour(steps[i - 1].prototypes);
    const Message after = i + 1 == steps.size() ? none : neighbour(steps[i + 1].prototypes);

    steps[i].responsibilities = assign(steps[i], params);
    update_prototypes(steps[i], before, after, params);
    update_proportions(steps[i]);
  }
}

void sweep_alone(Step& step, const Params& params) {
  step.responsibilities = assign(step, params);
  update_prototypes(step, {}, {}, params);
  update_proportions(step);
}

}  // namespace stad::vmf
