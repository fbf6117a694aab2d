#include "gaussian/em.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "gaussian/e_step.hpp"
#include "gaussian/m_step.hpp"

namespace stad::gaussian {
namespace {

constexpr Index kClassesAtOnce = 8;  // bounds the memory of tracks; fixed, so that sums do not depend on threads

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

void restart(Index k, const Belief& source, Window& window, Params& params) {
  for (Step& step : window.steps) step.means.row(k) = source.mean.transpose();
  window.start[k] = source;
  window.oldest[k] = source;
  params.transition[k].setIdentity();
}

/// Scatter of the shared covariances, summed over the classes that stayed within reach.
struct Scatter {
  SquareMatrix transition;
  SquareMatrix emission;
  Index classes = 0;
};

void update_noise(const Scatter& scatter, const std::vector<Evidence>& evidence, Params& params) {
  const auto pairs = static_cast<double>(evidence.size() - 1);
  if (pairs > 0 && scatter.classes > 0)
    params.transition_noise = as_covariance(scatter.transition, pairs * static_cast<double>(scatter.classes));
  double samples = 0;
  for (const Evidence& batch : evidence) samples += batch.responsibilities.sum();
  if (samples > 0) params.emission_noise = as_covariance(scatter.emission, samples);
}

void update_proportions(Step& step, const Evidence& evidence) {
  if (step.features.rows() == 0) return;
  for (std::size_t k = 0; k < step.proportions.size(); ++k)
    step.proportions[k] = evidence.responsibilities.col(static_cast<Index>(k)).mean();
}

}  // namespace

std::vector<Belief> prior(const DoubleRows& source, double variance) {
  std::vector<Belief> beliefs;
  for (Index k = 0; k < source.rows(); ++k)
    beliefs.push_back({source.row(k).transpose(), variance * SquareMatrix::Identity(source.cols(), source.cols())});
  return beliefs;
}

Index em_sweep(Window& window, Params& params, const std::vector<Belief>& source, bool learn_transition) {
  const auto classes = static_cast<Index>(source.size());
  const Index dimension = params.emission_noise.rows();
  const PositiveDefinite emission(params.emission_noise);
  std::vector<Evidence> evidence;
  for (const Step& step : window.steps) evidence.push_back(assign(step, emission));

  Scatter scatter{SquareMatrix::Zero(dimension, dimension), SquareMatrix::Zero(dimension, dimension)};
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
        restart(k, source[k], window, params);
        continue;
      }
      keep(k, result, window, params);
      scatter.transition += result.fit.transition_scatter;
      scatter.emission += result.fit.emission_scatter;
      ++scatter.classes;
    }
  }
  for (std::size_t t = 0; t < evidence.size(); ++t) update_proportions(window.steps[t], evidence[t]);
  update_noise(scatter, evidence, params);
  return classes - scatter.classes;
}

DoubleRows static_means(const DoubleRows& features, const DoubleRows& source) {
  constexpr double kNoEvidence = 1e-12;
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
