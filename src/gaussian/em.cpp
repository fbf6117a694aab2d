#include "gaussian/em.hpp"

#include <algorithm>
#include <memory>

#include "base/parallel.hpp"
#include "data/evidence.hpp"
#include "gaussian/e_step.hpp"
#include "gaussian/m_step.hpp"
#include "math/product.hpp"

namespace stad::gaussian {
namespace {

void keep(Index k, const Track& track, const ClassFit& fit, GaussWindow& window, GaussParams& params) {
  for (std::size_t t = 0; t < window.steps.size(); ++t)
    window.steps[t].means.row(k) = track.smoothed[t].mean.transpose();
  BeliefMap(window.oldest[k]).set(track.filtered.front());
  params.transition[k] = fit.transition;
}

void restart(Index k, const GaussPrior& prior, GaussWindow& window, GaussParams& params) {
  for (GaussStep& step : window.steps) step.means.row(k) = prior.means.row(k);
  for (Belief* belief : {&window.start[k], &window.oldest[k]}) {
    belief->mean = prior.means.row(k).transpose();
    belief->covariance.setIdentity();
    belief->covariance.diagonal() *= prior.variance;
  }
  params.transition[k].setIdentity();
}

std::span<Assignment> assign_window(const GaussWindow& window, const Cholesky& emission, Index classes, Index dimension,
                                    Scratch& scratch) {
  const auto evidence = scratch.take<Assignment>(static_cast<Index>(window.steps.size()));
  for (std::size_t t = 0; t < evidence.size(); ++t)
    std::construct_at(&evidence[t], scratch, window.steps[t].features.rows(), dimension, classes);
  for (std::size_t t = 0; t < evidence.size(); ++t) assign(window.steps[t], emission, evidence[t]);
  return evidence;
}

/// Contributions to the shared covariances of the classes that did not diverge.
struct Scatter {
  MatrixMap transition;
  MatrixMap emission;
  std::span<bool> kept;  ///< K: the classes that did not diverge
  Index classes = 0;     ///< their number

  Scatter(Scratch& scratch, Index dimension, Index all_classes)
      : transition(take_matrix(scratch, dimension, dimension)),
        emission(take_matrix(scratch, dimension, dimension)),
        kept(scratch.take<bool>(all_classes)) {
    transition.setZero();
    emission.setZero();
  }

  void add(const ClassFit& fit) {
    transition += fit.transition_scatter;
    emission += fit.emission_covariance;
    ++classes;
  }
};

/// Updates every class along the window independently, kClassesAtOnce in parallel; each writes memory of its own.
void track_classes(std::span<const Assignment> evidence, const Cholesky& emission, const GaussPrior& prior,
                   bool learn_transition, GaussWindow& window, GaussParams& params, Scatter& scatter) {
  const Index classes = prior.means.rows();
  Scratch scratch;
  const auto fits = scratch.take<ClassFit>(std::min(kClassesAtOnce, classes));
  for (ClassFit& fit : fits) std::construct_at(&fit, scratch, prior.means.cols());
  for (Index first = 0; first < classes; first += kClassesAtOnce) {
    const Index count = std::min(kClassesAtOnce, classes - first);
    parallel_for(count, [&](Index i) {
      const Index k = first + i;
      Scratch memory;
      const auto track = track_class(k, window.start[k], evidence, emission, params, memory);
      scatter.kept[k] = track.has_value();
      if (!track) return restart(k, prior, window, params);
      fit_class(k, *track, evidence, params.transition[k], learn_transition, fits[i]);
      keep(k, *track, fits[i], window, params);
    });
    for (Index i = 0; i < count; ++i)
      if (scatter.kept[first + i]) scatter.add(fits[i]);
  }
}

void update_noise(const GaussWindow& window, std::span<const Assignment> evidence, Scatter& scatter,
                  GaussParams& params) {
  double mass = 0;
  for (std::size_t t = 0; t < evidence.size(); ++t)
    mass += add_emission_scatter(window.steps[t], evidence[t], scatter.kept, scatter.emission);
  const auto transitions = static_cast<double>((window.steps.size() - 1) * static_cast<std::size_t>(scatter.classes));
  if (transitions > 0) set_covariance(scatter.transition, transitions, params.transition_noise);
  if (mass > 0) set_covariance(scatter.emission, mass, params.emission_noise);
}

void update_proportions(GaussStep& step, const Assignment& evidence) {
  if (step.features.rows() == 0) return;
  for (std::size_t k = 0; k < step.proportions.size(); ++k)
    step.proportions[k] = evidence.responsibilities.col(static_cast<Index>(k)).mean();
}

}  // namespace

Index em_sweep(GaussWindow& window, GaussParams& params, const GaussPrior& prior, bool learn_transition) {
  const Index classes = prior.means.rows();
  const Index dimension = prior.means.cols();
  Scratch scratch;
  auto factor = take_matrix(scratch, dimension, dimension);
  factor = params.emission_noise;
  const Cholesky emission(factor);
  const auto evidence = assign_window(window, emission, classes, dimension, scratch);
  Scatter scatter(scratch, dimension, classes);
  track_classes(evidence, emission, prior, learn_transition, window, params, scatter);
  update_noise(window, evidence, scatter, params);
  for (std::size_t t = 0; t < evidence.size(); ++t) update_proportions(window.steps[t], evidence[t]);
  return classes - scatter.classes;
}

void static_means(const DoubleRows& source, GaussStep& step) {
  const Index dimension = source.cols();
  Scratch scratch;
  auto factor = take_matrix(scratch, dimension, dimension);
  factor.setIdentity();
  factor.diagonal() *= kInitialEmissionVariance;
  const Cholesky emission(factor);
  step.means = source;
  std::fill(step.proportions.begin(), step.proportions.end(), 1 / static_cast<double>(source.rows()));
  Assignment evidence(scratch, step.features.rows(), dimension, source.rows());
  assign(step, emission, evidence);
  auto sums = take_matrix(scratch, dimension, source.rows());
  set_product(sums, 1, step.features.transpose(), evidence.responsibilities);
  for (Index k = 0; k < source.rows(); ++k)
    if (const double mass = evidence.responsibilities.col(k).sum(); mass >= kNoEvidence)
      step.means.row(k) = sums.col(k).transpose() / mass;
}

}  // namespace stad::gaussian
