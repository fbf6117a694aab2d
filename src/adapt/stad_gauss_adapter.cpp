#include "adapt/stad_gauss_adapter.hpp"

#include "adapt/answer.hpp"
#include "gaussian/e_step.hpp"

namespace stad {

double gauss_memory(const SourceModel& source, const StadGaussOptions& options) {
  // Kept for each class: A_k and two beliefs. For each class at work: about five matrices a step.
  const auto dimension = static_cast<double>(source.dimension());
  const double kept = 3 * static_cast<double>(source.classes());
  const double working = static_cast<double>(gaussian::kClassesAtOnce * 5 * (options.window + 1));
  return (kept + working) * dimension * dimension * sizeof(double);
}

StadGaussAdapter::StadGaussAdapter(SourceModel source, const StadGaussOptions& options)
    : Adapter(std::move(source)),
      options_(options),
      prior_{unit_rows<double>(this->source().weight()).rows, options.initial_variance},
      params_(this->source().classes(), this->source().dimension()) {
  for (Index k = 0; k < this->source().classes(); ++k) window_.start.push_back(prior_.of_class(k));
  window_.oldest = window_.start;
}

/// Algorithm 1 of the paper for one batch.
Status StadGaussAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  auto [unit, directed] = represent(batch.features);
  DoubleRows served;
  if (options_.predict == Predict::kBefore) served = logits(unit);
  slide(std::move(unit));
  const Index restarted = fit_window();
  if (options_.predict == Predict::kAfter) served = logits(window_.newest().features);
  serve(served, directed, batch.features.rows, answer);
  answer.restarted = restarted;
  return {};
}

Status StadGaussAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  const auto [unit, directed] = represent(batch.features);
  serve(logits(unit), directed, batch.features.rows, answer);
  return {};
}

UnitRows<double> StadGaussAdapter::represent(MatrixView features) const {
  return unit_rows<double>(features, options_.center == Center::kSource ? source().mean() : std::span<const float>());
}

void StadGaussAdapter::slide(DoubleRows features) {
  const bool continues = options_.dynamics && options_.init == Init::kPrevious;
  const auto classes = static_cast<std::size_t>(source().classes());
  gaussian::Step step;
  step.means = continues ? current() : prior_.means;
  step.features = std::move(features);
  step.proportions.assign(classes, 1 / static_cast<double>(classes));
  window_.steps.push_back(std::move(step));

  const auto kept = static_cast<std::size_t>(options_.dynamics ? options_.window + 1 : 1);
  while (window_.steps.size() > kept) {
    window_.start = window_.oldest;
    window_.steps.pop_front();
  }
}

Index StadGaussAdapter::fit_window() {
  if (!options_.dynamics) {
    window_.newest().means = gaussian::static_means(window_.newest().features, prior_.means);
    return 0;
  }
  Index restarted = 0;
  for (Index sweep = 0; sweep < options_.sweeps; ++sweep)
    restarted += gaussian::em_sweep(window_, params_, prior_, options_.learn_transition);
  return restarted;
}

DoubleRows StadGaussAdapter::logits(const DoubleRows& features) const {
  if (options_.score == GaussScore::kLikelihood) {
    const PositiveDefinite emission(params_.emission_noise);
    return gaussian::distance_logits(emission.whiten(features.transpose()), current(), emission);
  }
  DoubleRows weights = current();
  if (options_.score == GaussScore::kUnit)
    for (Index k = 0; k < weights.rows(); ++k)
      if (const double norm = weights.row(k).norm(); norm > 0) weights.row(k) /= norm;
  return features * weights.transpose();
}

const DoubleRows& StadGaussAdapter::current() const {
  return window_.steps.empty() ? prior_.means : window_.newest().means;
}

}  // namespace stad
