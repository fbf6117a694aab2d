#include "reference/safe.hpp"

#include <algorithm>
#include <cmath>

#include "reference/method.hpp"

namespace stad::reference {

using Eigen::MatrixXd;

namespace {

double logistic_step(double value, double middle, double width) { return 1 / (1 + std::exp((middle - value) / width)); }

MatrixXd log_softmax_of(MatrixXd logits) {
  for (Index n = 0; n < logits.rows(); ++n) {
    logits.row(n).array() -= logits.row(n).maxCoeff();
    logits.row(n).array() -= std::log(logits.row(n).array().exp().sum());
  }
  return logits;
}

}  // namespace

Safe::Safe(const Head& head, const StadSafeOptions& options)
    : head_(head),
      source_(unit(head.weight)),
      prototypes_(source_),
      memories_(source_.rows(), source_.cols()),
      shadow_(source_.rows(), source_.cols()),
      persistence_(source_.rows()),
      chains_(label_chains(source_.rows())),
      similarity_{.sum = 0.3 * 20, .weight = 20},
      flips_{.sum = 0, .weight = 20},
      background_(options.unknown ? std::optional(ReferenceBackground()) : std::nullopt) {}

MatrixXd Safe::adapt(const MatrixXd& features) {
  SourceView batch;
  MatrixXd source_logits = features * head_.weight.transpose();
  if (head_.bias.size() > 0) source_logits.rowwise() += head_.bias.transpose();
  batch.log_p = log_softmax_of(source_logits);
  batch.labels = labels_of(source_logits);
  batch.h = features;
  if (head_.mean.size() > 0) batch.h.rowwise() -= head_.mean.transpose();
  batch.h = unit(batch.h);

  const double keep = std::exp(-static_cast<double>(features.rows()) / 2000);
  memories_.fade(keep);
  shadow_.sums *= keep;
  update_estimates(batch);
  unknown_ = Eigen::VectorXd::Zero(features.rows());
  if (background_)
    for (Index n = 0; n < features.rows(); ++n)
      unknown_[n] = background_->observe((source_ * batch.h.row(n).transpose()).maxCoeff());
  learn(batch);

  const MatrixXd none(0, source_.rows());
  prototypes_ =
      memories_.directions(memories_.shares(persistence()), none, MatrixXd(0, source_.cols()), anchor(), source_);
  const MatrixXd adapted = logits(batch, prototypes_);
  const std::vector<Index> labels = labels_of(adapted);
  for (std::size_t n = 0; n < labels.size(); ++n) flips_.add(labels[n] == batch.labels[n] ? 0 : 1);

  const MatrixXd posteriors = softmax_of(trust() * adapted + (1 - trust()) * batch.log_p);
  if (persistence() < 1e-3) start_from(posteriors, chains_);
  return smoothed_if_persistent(posteriors, chains_);
}

void Safe::update_estimates(const SourceView& batch) {
  for (Index n = 0; n < batch.h.rows(); ++n) {
    const Index label = batch.labels[static_cast<std::size_t>(n)];
    similarity_.add(batch.h.row(n).dot(source_.row(label)));
    persistence_.observe(label, std::exp(batch.log_p(n, label)));
  }
  shadow_.observe(batch.h, batch.labels, source_, similarity_.value());
  rejected_rows_ = agreement_weight() < 0.1 ? rejected_rows_ + static_cast<double>(batch.h.rows()) : 0;
  if (rejected_rows_ >= 3000) {
    memories_.forget();
    rejected_rows_ = 0;
  }
}

void Safe::learn(const SourceView& batch) {
  const Eigen::Vector2d shares = memories_.shares(persistence());
  MatrixXd learned_rows(0, source_.cols());
  MatrixXd responsibilities(0, source_.rows());
  for (int sweep = 0; sweep < 2; ++sweep) {
    auto chains = chains_;  // copied: the chains advance once a batch, not once a sweep
    const MatrixXd directions = memories_.directions(shares, responsibilities, learned_rows, anchor(), source_);
    responsibilities = smoothed_if_persistent(softmax_of(logits(batch, directions)), chains);
    responsibilities.array().colwise() *= 1 - unknown_.array();
    learned_rows = batch.h;
  }
  memories_.learn(responsibilities, batch.h, anchor(), source_, shadow_.concentration(), shares);
}

/// concentration cosine + sharpness log p_source + 3 log(shadow_counts / source_counts)
MatrixXd Safe::logits(const SourceView& batch, const MatrixXd& prototypes) const {
  const double accepted = 0.03 + persistence() * (0.1 - 0.03);
  const double disagreement = std::max(shadow_.disagreement(), 1e-6);
  const double sharpness = std::clamp(accepted / disagreement, 0.1, 1.0);
  MatrixXd sum = shadow_.concentration() * batch.h * prototypes.transpose() + sharpness * batch.log_p;
  sum.rowwise() += 3 * shadow_.log_ratios();
  return sum;
}

MatrixXd Safe::smoothed_if_persistent(const MatrixXd& posteriors, std::vector<ReferenceChain>& chains) const {
  if (persistence() < 1e-3) return posteriors;
  return (1 - persistence()) * posteriors + persistence() * smoothed(posteriors, chains);
}

double Safe::agreement_weight() const { return logistic_step(shadow_.agreement(), 0.73, 0.02); }

double Safe::trust() const { return agreement_weight() * logistic_step(flips_.value(), 0.05, 0.004); }

double Safe::persistence() const { return logistic_step(persistence_.share(), 0.45, 0.05); }

}  // namespace stad::reference
