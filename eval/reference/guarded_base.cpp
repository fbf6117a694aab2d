#include "reference/guarded_base.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "reference/method.hpp"

namespace stad::reference {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

template <typename Value>
void push_bounded(std::deque<Value>& values, Value value, std::size_t most) {
  values.push_back(std::move(value));
  if (values.size() > most) values.pop_front();
}

double sum_of(const std::deque<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

NeighbourMoments neighbour_moments(const std::vector<Index>& labels) {
  const auto n = static_cast<double>(labels.size());
  const double m = n - 1;
  NeighbourMoments moments{.pairs = m};
  std::map<Index, double> counts;
  for (const Index label : labels) ++counts[label];
  for (std::size_t i = 1; i < labels.size(); ++i) moments.observed += labels[i] == labels[i - 1] ? 1 : 0;
  double pairs = 0, triples = 0, quadruples = 0, squares = 0;
  for (const auto& [label, c] : counts) {
    pairs += c * (c - 1);
    triples += c * (c - 1) * (c - 2);
    quadruples += c * (c - 1) * (c - 2) * (c - 3);
    squares += c * (c - 1) * c * (c - 1);
  }
  const double p2 = pairs / (n * (n - 1));
  const double p3 = triples / (n * (n - 1) * (n - 2));
  const double p22 = (quadruples + pairs * pairs - squares) / (n * (n - 1) * (n - 2) * (n - 3));
  moments.mean = m * p2;
  moments.variance =
      std::max(0.0, m * p2 + 2 * (m - 1) * p3 + (m * (m - 1) - 2 * (m - 1)) * p22 - moments.mean * moments.mean);
  return moments;
}

GuardedBase::GuardedBase(const Head& head, const StadSafeOptions&)
    : head_(head),
      prior_(class_prior(head)),
      means_(head.card.means),
      estimates_means_(head.card.means.size() == 0),
      mean_sums_(MatrixXd::Zero(head.weight.rows(), head.weight.cols())),
      mean_counts_(VectorXd::Zero(head.weight.rows())),
      law_sums_(100 * prior_.transpose()) {
  for (const double stay : kStay)
    for (const double power : kPower) chains_.push_back({stay, power, prior_, 0});
}

GuardedBase::Answer GuardedBase::adapt(const MatrixXd& features, const std::vector<double>& time) {
  const MatrixXd products = features * head_.weight.transpose();
  const MatrixXd logits = logits_of(head_, features);
  const MatrixXd probabilities = softmax_of(logits / head_.card.temperature);
  Signals signals;
  add_labels(logits, time);
  test_chains(signals);
  estimate_means(features, probabilities);
  signals.ra = residual_autocorrelation(products, probabilities);
  rows_ += features.rows();
  const MatrixXd chain = chain_bank(probabilities);
  signals.open = rows_ > 256 && signals.zeta >= 4 && signals.excess >= 0.3 && signals.ra <= 0.3;
  return {signals.open ? chain : probabilities, chain, signals};
}

void GuardedBase::add_labels(const MatrixXd& logits, const std::vector<double>& time) {
  for (Index n = 0; n < logits.rows(); ++n) {
    if (!time.empty()) {
      const bool changed = last_time_ && *last_time_ != time[static_cast<std::size_t>(n)];
      if (changed && window_.size() >= 64) close_window();
      last_time_ = time[static_cast<std::size_t>(n)];
    }
    Index label = 0;
    logits.row(n).maxCoeff(&label);
    window_.push_back(label);
    if (window_.size() == 256) close_window();
  }
}

void GuardedBase::close_window() {
  push_bounded(closed_, neighbour_moments(window_), 4);
  window_.clear();
}

void GuardedBase::test_chains(Signals& signals) const {
  if (closed_.empty()) return;
  NeighbourMoments sum;
  for (const NeighbourMoments& window : closed_) {
    sum.observed += window.observed;
    sum.mean += window.mean;
    sum.variance += window.variance;
    sum.pairs += window.pairs;
  }
  signals.zeta = (sum.observed - sum.mean) / std::sqrt(sum.variance + 1e-9);
  signals.excess = (sum.observed - sum.mean) / std::max(sum.pairs - sum.mean, 8.0);
}

/// From every batch that begins before row 256.
void GuardedBase::estimate_means(const MatrixXd& features, const MatrixXd& probabilities) {
  if (!estimates_means_ || rows_ >= 256) return;
  const VectorXd centre = head_.mean.size() > 0 ? head_.mean : VectorXd::Zero(features.cols());
  mean_sums_ += probabilities.transpose() * features;
  mean_counts_ += probabilities.colwise().sum().transpose();
  means_ = mean_sums_ + 5 * VectorXd::Ones(mean_sums_.rows()) * centre.transpose();
  for (Index k = 0; k < means_.rows(); ++k) means_.row(k) /= mean_counts_[k] + 5;
}

double GuardedBase::residual_autocorrelation(const MatrixXd& products, const MatrixXd& probabilities) {
  MatrixXd residuals = products - probabilities * (means_ * head_.weight.transpose());
  residuals.colwise() -= residuals.rowwise().mean().eval();
  for (Index n = 0; n < residuals.rows(); ++n) {
    RowVectorXd centred = residuals.row(n);
    if (!residuals_.empty()) {
      RowVectorXd sum = RowVectorXd::Zero(centred.size());
      for (const RowVectorXd& earlier : residuals_) sum += earlier;
      centred -= sum / static_cast<double>(residuals_.size());
    }
    push_bounded(residuals_, RowVectorXd(residuals.row(n)), 200);
    push_bounded(products_, last_residual_.size() > 0 ? centred.dot(last_residual_) : 0.0, 1000);
    push_bounded(squares_, centred.squaredNorm(), 1000);
    last_residual_ = centred;
  }
  return sum_of(products_) / std::max(sum_of(squares_), 1e-12);
}

RowVectorXd GuardedBase::stationary_law(const MatrixXd& probabilities) {
  const auto rows = static_cast<double>(probabilities.rows());
  const double keep = std::exp(-rows / 1000);
  law_sums_ = keep * law_sums_ + probabilities.colwise().sum();
  law_weight_ = keep * law_weight_ + rows;
  RowVectorXd law = law_sums_ / law_weight_;
  law.array() += 1e-3 / static_cast<double>(law.size());
  return law / law.sum();
}

MatrixXd GuardedBase::chain_bank(const MatrixXd& probabilities) {
  const RowVectorXd law = stationary_law(probabilities);
  std::vector<MatrixXd> posteriors;
  for (LabelChain& chain : chains_) posteriors.push_back(smooth(probabilities, law, chain));
  double largest = 0;  // log weight of the independent one
  for (const LabelChain& chain : chains_) largest = std::max(largest, chain.score - 5);
  double weights = std::exp(-largest);
  MatrixXd sum = weights * probabilities;
  for (std::size_t c = 0; c < chains_.size(); ++c) {
    const double weight = std::exp(chains_[c].score - 5 - largest);
    sum += weight * posteriors[c];
    weights += weight;
  }
  return sum / weights;
}

MatrixXd GuardedBase::smooth(const MatrixXd& probabilities, const RowVectorXd& law, LabelChain& chain) {
  MatrixXd evidence = (probabilities.array().rowwise() / law.array()).pow(chain.power);
  for (Index n = 0; n < evidence.rows(); ++n) evidence.row(n) /= evidence.row(n).dot(law);
  MatrixXd posteriors(evidence.rows(), evidence.cols());
  for (Index n = 0; n < evidence.rows(); ++n) {
    RowVectorXd state = chain.stay * chain.state.transpose() + (1 - chain.stay) * law;
    state = state.cwiseProduct(evidence.row(n));
    const double likelihood = state.sum();
    chain.state = state.transpose() / likelihood;
    chain.score = std::exp(-1.0 / 600) * chain.score + std::log(likelihood);
    posteriors.row(n) = chain.state.transpose();
  }
  RowVectorXd after = RowVectorXd::Ones(evidence.cols());
  for (Index n = evidence.rows() - 1; n >= 0; --n) {
    posteriors.row(n) = posteriors.row(n).cwiseProduct(after).eval();
    posteriors.row(n) /= posteriors.row(n).sum();
    const RowVectorXd weighted = evidence.row(n).cwiseProduct(after);
    after = chain.stay * weighted + (1 - chain.stay) * RowVectorXd::Constant(after.size(), weighted.dot(law));
    after /= after.sum();
  }
  return posteriors;
}

}  // namespace stad::reference
