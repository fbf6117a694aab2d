#include "adapt/stad_gauss_adapter.hpp"

#include <algorithm>

#include "adapt/answer.hpp"
#include "gaussian/e_step.hpp"
#include "math/unit_rows.hpp"
#include "math/wide_products.hpp"

namespace stad {

double gauss_memory(const SourceModel& source, const StadGaussOptions& options) {
  // Kept for each class: A_k and two beliefs. For each class being updated: four matrices a step and about ten more.
  const auto dimension = static_cast<double>(source.dimension());
  const double kept = 3 * static_cast<double>(source.classes());
  const auto working = static_cast<double>(gaussian::kClassesAtOnce * (4 * (options.window + 1) + 10));
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
  Scratch scratch;
  const Represented batch_rows = represent(batch.features, scratch);
  const auto served = take_rows<double>(scratch, batch_rows.unit.rows(), source().classes());
  if (options_.predict == Predict::kBefore) score(batch_rows.unit, served);
  slide(batch_rows.unit);
  const Index restarted = fit_window();
  if (options_.predict == Predict::kAfter) score(batch_rows.unit, served);
  serve(served, batch_rows.directed, batch.features.rows, answer);
  answer.restarted = restarted;
  return {};
}

Status StadGaussAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  Scratch scratch;
  const Represented batch_rows = represent(batch.features, scratch);
  const auto served = take_rows<double>(scratch, batch_rows.unit.rows(), source().classes());
  score(batch_rows.unit, served);
  serve(served, batch_rows.directed, batch.features.rows, answer);
  return {};
}

StadGaussAdapter::Represented StadGaussAdapter::represent(MatrixView features, Scratch& scratch) const {
  const auto center = options_.center == Center::kSource ? source().mean() : std::span<const float>();
  auto unit = take_rows<double>(scratch, features.rows, features.cols);
  const auto directed = scratch.take<Index>(features.rows);
  const Index count = unit_rows<double>(features, center, unit, directed);
  return {DoubleRowsMap(unit.data(), count, features.cols), directed.first(static_cast<std::size_t>(count))};
}

void StadGaussAdapter::slide(const DoubleRowsMap& features) {
  const auto kept = static_cast<std::size_t>(options_.dynamics ? options_.window + 1 : 1);
  auto& steps = window_.steps;
  const bool continues = options_.dynamics && options_.init == Init::kPrevious && !steps.empty();
  steps.reserve(kept);
  if (steps.size() < kept) {
    steps.emplace_back();
  } else {  // the oldest step leaves the window, and its memory is reused
    std::swap(window_.start, window_.oldest);
    std::rotate(steps.begin(), steps.begin() + 1, steps.end());
  }
  gaussian::GaussStep& step = steps.back();
  if (!continues)
    step.means = prior_.means;
  else if (steps.size() > 1)
    step.means = steps[steps.size() - 2].means;
  step.features = features;
  step.proportions.assign(static_cast<std::size_t>(source().classes()), 1 / static_cast<double>(source().classes()));
}

Index StadGaussAdapter::fit_window() {
  if (!options_.dynamics) {
    gaussian::static_means(prior_.means, window_.newest());
    return 0;
  }
  Index restarted = 0;
  for (Index sweep = 0; sweep < options_.sweeps; ++sweep)
    restarted += gaussian::em_sweep(window_, params_, prior_, options_.learn_transition);
  return restarted;
}

void StadGaussAdapter::score(const DoubleRowsMap& unit, DoubleRowsMap served) const {
  Scratch scratch;
  if (options_.score == GaussScore::kLikelihood) {
    auto factor = take_matrix(scratch, unit.cols(), unit.cols());
    auto whitened = take_matrix(scratch, unit.cols(), unit.rows());
    factor = params_.emission_noise;
    const Cholesky emission(factor);
    gaussian::whiten_rows(unit, emission, whitened);
    return gaussian::distance_logits(whitened, current(), emission, served);
  }
  auto weights = take_rows<double>(scratch, current().rows(), current().cols());
  weights = current();
  if (options_.score == GaussScore::kUnit)
    for (Index k = 0; k < weights.rows(); ++k)
      if (const double norm = weights.row(k).norm(); norm > 0) weights.row(k) /= norm;
  wide_products(RowsView<double>(unit), RowsView<double>(weights), served);
}

const DoubleRows& StadGaussAdapter::current() const {
  return window_.steps.empty() ? prior_.means : window_.newest().means;
}

}  // namespace stad
