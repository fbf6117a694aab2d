#include "gaussian/em.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "data/evidence.hpp"
#include "gaussian/e_step.hpp"
#include "gaussian/m_step.hpp"

namespace stad::gaussian {
namespace {

/// What one class made of the window; no track if its model ran away.
struct ClassResult {
  std::optional<Track> track;
  ClassFit fit;
};

void keep(Index k, const ClassResult& result, Window& window, Params& params) {
  for (std::size_t t = 0; t < window.steps.size(); ++t)
    window.steps[t].means.row(k) = result.track->smoothed[t].mean.transpose();
  window.oldest[k] = result.track->filtered.front();
  params.transition[k] = result.fit.transition;
}

void restart(Index k, const Belief& prior, Window& window, Params& params) {
  for (Step& step : window.steps) step.means.row(k) = prior.mean.transpose();
  window.start[k] = prior;
  window.oldest[k] = prior;
  params.transition[k].setIdentity();
}

/// What the classes that stayed within reach say of the shared covariances.
struct Scatter {
  SquareMatrix transition;
  SquareMatrix emission;
  double mass = 0;  ///< responsibility behind the emission scatter
  Index classes = 0;

  explicit Scatter(Index dimension)
      : transition(SquareMatrix::Zero(dimension, dimension)), emission(SquareMatrix::Zero(dimension, dimension)) {}

  void add(const ClassFit& fit) {
    transition += fit.transition_scatter;
    emission += fit.emission_scatter;
    mass += fit.mass;
    ++classes;
  }
};

void update_noise(const Scatter& scatter, std::size_t steps, Params& params) {
  const auto transitions = static_cast<double>((steps - 1) * static_cast<std::size_t>(scatter.classes));
  if (transitions > 0) params.transition_noise = as_covariance(scatter.transition, transitions);
  if (scatter.mass > 0) params.emission_noise = as_covariance(scatter.emission, scatter.mass);
}

void update_proportions(Step& step, const Evidence& evidence) {
  if (step.features.rows() == 0) return;
  for (std::size_t k = 0; k < step.proportions.size(); ++k)
    step.proportions[k] = evidence.responsibilities.col(static_cast<Index>(k)).mean();
}

}  // namespace

Index em_sweep(Window& window, Params& params, const Prior& prior, bool learn_transition) {
  const Index classes = prior.means.rows();
  const PositiveDefinite emission(params.emission_noise);
  std::vector<Evidence> evidence;
  for (const Step& step : window.steps) evidence.push_back(assign(step, emission));

  Scatter scatter(params.emission_noise.rows());
  for (Index first = 0; first < classes; first += kClassesAtOnce) {
    std::vector<ClassResult> results(static_cast<std::size_t>(std::min(kClassesAtOnce, classes - first)));
    parallel_for(static_cast<Index>(results.size()), [&](Index i) {
      const Index k = first + i;
      auto& [track, fit] = results[i];
      track = track_class(k, window.start[k], evidence, emission, params);
      if (track) fit = fit_class(k, *track, window.steps, evidence, params.transition[k], learn_transition);
    });
    for (Index k = first; k < first + static_cast<Index>(results.size()); ++k) {
      const ClassResult& result = results[k - first];
      if (!result.track) {
        restart(k, prior.of_class(k), window, params);
        continue;
      }
      keep(k, result, window, params);
      scatter.add(result.fit);
    }
  }
  for (std::size_t t = 0; t < evidence.size(); ++t) update_proportions(window.steps[t], evidence[t]);
  update_noise(scatter, window.steps.size(), params);
  return classes - scatter.classes;
}

DoubleRows static_means(const DoubleRows& features, const DoubleRows& source) {
  const Index dimension = source.cols();
  const PositiveDefinite emission(kInitialEmissionVariance * SquareMatrix::Identity(dimension, dimension));
  const std::vector<double> uniform(static_cast<std::size_t>(source.rows()), 1 / static_cast<double>(source.rows()));
  const Evidence evidence = assign({features, source, uniform}, emission);
  DoubleRows means = evidence.responsibilities.transpose() * features;
  for (Index k = 0; k < means.rows(); ++k) {
    const double mass = evidence.responsibilities.col(k).sum();
    if (mass < kNoEvidence)
      means.row(k) = source.row(k);
    else
      means.row(k) /= mass;
  }
  return means;
}

}  // namespace stad::gaussian
