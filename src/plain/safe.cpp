#include "plain/safe.hpp"

#include <algorithm>
#include <cmath>

#include "plain/rows.hpp"

namespace stad::plain {

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
      sums_(MatrixXd::Zero(source_.rows(), source_.cols())),
      prototypes_(source_),
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
  sums_ *= keep;
  shadow_.sums *= keep;
  judge(asked);
  unknown_ = Eigen::VectorXd::Zero(features.rows());
  if (background_)
    for (Index n = 0; n < features.rows(); ++n)
      unknown_[n] = background_->observe((source_ * asked.h.row(n).transpose()).maxCoeff());
  learn(asked);

  prototypes_ = directions_of(sums_);
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
}

void Safe::learn(const Asked& asked) {
  constexpr double kMemory = 50;
  MatrixXd heard = sums_;
  for (int sweep = 0; sweep < 2; ++sweep) {
    auto chains = chains_;  // which move on once a batch, not once a sweep
    MatrixXd responsibilities = smoothed_if_persistent(softmax_of(logits(asked, directions_of(heard))), chains);
    responsibilities.array().colwise() *= 1 - unknown_.array();
    heard = with_heard(sums_, responsibilities, asked.h, kMemory);
  }
  sums_ = heard;
}

MatrixXd Safe::directions_of(const MatrixXd& sums) const {
  constexpr double kAnchor = 5;
  return directions(sums, kAnchor * likeness_.value(), source_);
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

double Safe::trust() const { return step(shadow_.agreement(), 0.73, 0.02) * step(flips_.value(), 0.04, 0.004); }

double Safe::persistence() const { return step(persistence_.share(), 0.45, 0.05); }

}  // namespace stad::plain
