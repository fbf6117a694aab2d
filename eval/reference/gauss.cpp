#include "reference/gauss.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "reference/method.hpp"

namespace stad::reference {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Gauss::Gauss(const Head& head, const StadGaussOptions& options)
    : options_(options), source_(unit(head.weight)), mean_(head.mean) {
  const MatrixXd identity = MatrixXd::Identity(head.weight.cols(), head.weight.cols());
  transition_.assign(static_cast<std::size_t>(head.weight.rows()), identity);
  transition_noise_ = 0.01 * identity;
  emission_noise_ = 0.5 * identity;
  for (Index k = 0; k < head.weight.rows(); ++k)
    start_.push_back({source_.row(k).transpose(), options.initial_variance * identity});
  oldest_ = start_;
}

MatrixXd Gauss::adapt(const MatrixXd& features) {
  MatrixXd h = features;
  if (options_.center == Center::kSource) h.rowwise() -= mean_.transpose();
  h = unit(h);
  const MatrixXd before = predict(h);

  const bool continues = options_.dynamics && options_.init == Init::kPrevious && !steps_.empty();
  Step step;
  step.h = h;
  step.means = continues ? steps_.back().means : source_;
  step.pi = VectorXd::Constant(source_.rows(), 1.0 / static_cast<double>(source_.rows()));
  steps_.push_back(step);
  if (!options_.dynamics) {
    steps_ = {step};
    const MatrixXd lambda = assign(step);
    for (Index k = 0; k < source_.rows(); ++k)
      if (const double mass = lambda.col(k).sum(); mass >= 1e-12)
        steps_.back().means.row(k) = (h.transpose() * lambda.col(k)).transpose() / mass;
  } else {
    while (static_cast<Index>(steps_.size()) > options_.window + 1) {
      start_ = oldest_;
      steps_.pop_front();
    }
    for (Index sweep = 0; sweep < options_.sweeps; ++sweep) em();
  }
  return options_.predict == Predict::kBefore ? before : predict(h);
}

MatrixXd Gauss::assign(const Step& step) const {
  const MatrixXd precision = emission_noise_.inverse();
  MatrixXd logits(step.h.rows(), source_.rows());
  for (Index n = 0; n < step.h.rows(); ++n)
    for (Index k = 0; k < source_.rows(); ++k) {
      const VectorXd gap = (step.h.row(n) - step.means.row(k)).transpose();
      logits(n, k) = std::log(std::max(step.pi[k], 1e-8)) - 0.5 * gap.dot(precision * gap);
    }
  return softmax_of(logits);
}

Gauss::Track Gauss::track(Index k) const {
  const MatrixXd& a = transition_[k];
  Track t;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Gaussian& before = i == 0 ? start_[k] : t.filtered.back();
    const Gaussian predicted{a * before.mean, transition_noise_ + a * before.covariance * a.transpose()};
    t.predicted.push_back(predicted);
    t.filtered.push_back(update(predicted, steps_[i], k));
  }
  smooth(a, t);
  return t;
}

Gauss::Gaussian Gauss::update(const Gaussian& predicted, const Step& step, Index k) const {
  const VectorXd lambda = step.lambda.col(k);
  if (!(lambda.sum() >= 1e-12)) return predicted;
  const MatrixXd emission_precision = emission_noise_.inverse();
  const MatrixXd precision = predicted.covariance.inverse();
  std::vector<Gaussian> each;
  Gaussian mixed = predicted;
  mixed.mean.setZero();
  mixed.covariance.setZero();
  for (Index n = 0; n < lambda.size(); ++n) {
    const MatrixXd covariance = (precision + lambda[n] * emission_precision).inverse();
    const VectorXd mean =
        covariance * (precision * predicted.mean + lambda[n] * emission_precision * step.h.row(n).transpose());
    each.push_back({mean, covariance});
    mixed.mean += lambda[n] / lambda.sum() * mean;
  }
  for (Index n = 0; n < lambda.size(); ++n) {
    const VectorXd gap = each[n].mean - mixed.mean;
    mixed.covariance += lambda[n] / lambda.sum() * (each[n].covariance + gap * gap.transpose());
  }
  return mixed;
}

void Gauss::smooth(const MatrixXd& a, Track& t) {
  t.smoothed = t.filtered;
  t.gains.resize(t.filtered.size());
  for (Index i = static_cast<Index>(t.filtered.size()) - 1; i-- > 0;) {
    t.gains[i] = t.filtered[i].covariance * a.transpose() * t.predicted[i + 1].covariance.inverse();
    t.smoothed[i].mean += t.gains[i] * (t.smoothed[i + 1].mean - t.predicted[i + 1].mean);
    t.smoothed[i].covariance +=
        t.gains[i] * (t.smoothed[i + 1].covariance - t.predicted[i + 1].covariance) * t.gains[i].transpose();
  }
}

Gauss::Moments Gauss::moments(const Track& t) {
  const Index dimension = t.smoothed.front().mean.size();
  Moments sums{MatrixXd::Zero(dimension, dimension), MatrixXd::Zero(dimension, dimension),
               MatrixXd::Zero(dimension, dimension)};
  for (std::size_t i = 1; i < t.smoothed.size(); ++i) {
    const auto& [mean, covariance] = t.smoothed[i];
    const auto& [mean_before, covariance_before] = t.smoothed[i - 1];
    sums.crossed += covariance * t.gains[i - 1].transpose() + mean * mean_before.transpose();
    sums.before += covariance_before + mean_before * mean_before.transpose();
    sums.after += covariance + mean * mean.transpose();
  }
  return sums;
}

void Gauss::add_spread(const Track& t, Index k, MatrixXd& spread, double& samples) const {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const auto& [mean, covariance] = t.smoothed[i];
    for (Index n = 0; n < steps_[i].h.rows(); ++n) {
      const VectorXd h = steps_[i].h.row(n).transpose();
      const double lambda = steps_[i].lambda(n, k);
      spread += lambda * (h * h.transpose() - mean * h.transpose() - h * mean.transpose() + covariance +
                          mean * mean.transpose());
      samples += lambda;
    }
  }
}

void Gauss::em() {
  const Index classes = source_.rows();
  const Index dimension = source_.cols();
  const MatrixXd ridge = 1e-6 * MatrixXd::Identity(dimension, dimension);
  for (Step& step : steps_) step.lambda = assign(step);
  MatrixXd noise = MatrixXd::Zero(dimension, dimension);
  MatrixXd spread = noise;
  double samples = 0;
  std::vector<MatrixXd> learned = transition_;
  for (Index k = 0; k < classes; ++k) {
    const Track t = track(k);
    add_spread(t, k, spread, samples);
    if (steps_.size() > 1) {
      const auto [crossed, before, after] = moments(t);
      if (options_.learn_transition) learned[k] = crossed * (before + ridge).inverse();
      const MatrixXd& a = learned[k];
      noise += after - crossed * a.transpose() - a * crossed.transpose() + a * before * a.transpose();
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i].means.row(k) = t.smoothed[i].mean.transpose();
    oldest_[k] = t.filtered.front();
  }
  for (Step& step : steps_) step.pi = step.lambda.colwise().mean().transpose();
  transition_ = learned;
  if (steps_.size() > 1) {
    noise /= static_cast<double>((steps_.size() - 1) * static_cast<std::size_t>(classes));
    transition_noise_ = 0.5 * (noise + noise.transpose()) + ridge;
  }
  spread /= samples;
  emission_noise_ = 0.5 * (spread + spread.transpose()) + ridge;
}

MatrixXd Gauss::predict(const MatrixXd& h) const {
  if (options_.score == GaussScore::kDot) return softmax_of(h * prototypes().transpose());
  if (options_.score == GaussScore::kUnit) return softmax_of(h * unit(prototypes()).transpose());
  const MatrixXd precision = emission_noise_.inverse();
  MatrixXd logits(h.rows(), source_.rows());
  for (Index n = 0; n < h.rows(); ++n)
    for (Index k = 0; k < source_.rows(); ++k) {
      const VectorXd gap = (h.row(n) - prototypes().row(k)).transpose();
      logits(n, k) = -0.5 * gap.dot(precision * gap);
    }
  return softmax_of(logits);
}

}  // namespace stad::reference
