#include "reference/safe.hpp"

#include <algorithm>
#include <cmath>

#include "reference/rows.hpp"

namespace stad::reference {

using Eigen::MatrixXd;

namespace {

double step(double value, double middle, double width) { return 1 / (1 + std::exp((middle - value) / width)); }

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
      likeness_{.sum = 0.3 * 20, .weight = 20},
      flips_{.sum = 0, .weight = 20},
      background_(options.unknown ? std::optional(BackgroundJudge()) : std::nullopt) {}

MatrixXd Safe::adapt(const MatrixXd& features) {
  Asked asked;
  MatrixXd source_logits = features * head_.weight.transpose();
  if (head_.bias.size() > 0) source_logits.rowwise() += head_.bias.transpose();
  asked.log_p = log_softmax_of(source_logits);
  asked.labels = labels_of(source_logits);
  asked.h = features;
  if (head_.mean.size() > 0) asked.h.rowwise() -= head_.mean.transpose();
  asked.h = unit(asked.h);

  const double keep = std::exp(-static_cast<double>(features.rows()) / 2000);
  memories_.fade(keep);
  shadow_.sums *= keep;
  judge(asked);
  unknown_ = Eigen::VectorXd::Zero(features.rows());
  if (background_)
    for (Index n = 0; n < features.rows(); ++n)
      unknown_[n] = background_->observe((source_ * asked.h.row(n).transpose()).maxCoeff());
  learn(asked);

  const MatrixXd none(0, source_.rows());
  prototypes_ =
      memories_.directions(memories_.shares(persistence()), none, MatrixXd(0, source_.cols()), anchor(), source_);
  const MatrixXd adapted = logits(asked, prototypes_);
  const std::vector<Index> labels = labels_of(adapted);
  for (std::size_t n = 0; n < labels.size(); ++n) flips_.add(labels[n] == asked.labels[n] ? 0 : 1);

  const MatrixXd posteriors = softmax_of(trust() * adapted + (1 - trust()) * asked.log_p);
  if (persistence() < 1e-3) start_from(posteriors, chains_);
  return smoothed_if_persistent(posteriors, chains_);
}

void Safe::judge(const Asked& asked) {
  for (Index n = 0; n < asked.h.rows(); ++n) {
    const Index label = asked.labels[static_cast<std::size_t>(n)];
    likeness_.add(asked.h.row(n).dot(source_.row(label)));
    persistence_.observe(label, std::exp(asked.log_p(n, label)));
  }
  shadow_.observe(asked.h, asked.labels, source_, likeness_.value());
  distrusted_ = believed() < 0.1 ? distrusted_ + static_cast<double>(asked.h.rows()) : 0;
  if (distrusted_ >= 3000) {
    memories_.forget();
    distrusted_ = 0;
  }
}

void Safe::learn(const Asked& asked) {
  const Eigen::Vector2d shares = memories_.shares(persistence());
  MatrixXd heard_from(0, source_.cols());
  MatrixXd responsibilities(0, source_.rows());
  for (int sweep = 0; sweep < 2; ++sweep) {
    auto chains = chains_;  // which move on once a batch, not once a sweep
    const MatrixXd directions = memories_.directions(shares, responsibilities, heard_from, anchor(), source_);
    responsibilities = smoothed_if_persistent(softmax_of(logits(asked, directions)), chains);
    responsibilities.array().colwise() *= 1 - unknown_.array();
    heard_from = asked.h;
  }
  memories_.learn(responsibilities, asked.h, anchor(), source_, shadow_.concentration(), shares);
}

/// concentration cosine + sharpness log p_source + 3 log(said / heard)
MatrixXd Safe::logits(const Asked& asked, const MatrixXd& prototypes) const {
  const double accepted = 0.03 + persistence() * (0.1 - 0.03);
  const double disagreement = std::max(shadow_.disagreement(), 1e-6);
  const double sharpness = std::clamp(accepted / disagreement, 0.1, 1.0);
  MatrixXd sum = shadow_.concentration() * asked.h * prototypes.transpose() + sharpness * asked.log_p;
  sum.rowwise() += 3 * shadow_.log_ratios();
  return sum;
}

MatrixXd Safe::smoothed_if_persistent(const MatrixXd& posteriors, std::vector<LabelChain>& chains) const {
  if (persistence() < 1e-3) return posteriors;
  return (1 - persistence()) * posteriors + persistence() * smoothed(posteriors, chains);
}

double Safe::believed() const { return step(shadow_.agreement(), 0.73, 0.02); }

double Safe::trust() const { return believed() * step(flips_.value(), 0.05, 0.004); }

double Safe::persistence() const { return step(persistence_.share(), 0.45, 0.05); }

}  // namespace stad::reference
