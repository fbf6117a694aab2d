#include "reference/experts.hpp"

#include <algorithm>
#include <cmath>

namespace stad::reference {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;

Normalise::Normalise(const Head& head, const NormaliseOptions& options)
    : options_(options),
      head_(head),
      mean_sum_(100 * head.mean.transpose()),
      square_sum_(100 * head.card.variance.transpose()) {}

MatrixXd Normalise::adapt(const MatrixXd& features) {
  const auto n = static_cast<double>(features.rows());
  const double keep = std::exp(-n / 500);
  weight_ = keep * weight_ + n;
  mean_sum_ = keep * mean_sum_ + features.colwise().sum();
  const RowVectorXd mean = mean_sum_ / weight_;
  const MatrixXd centred = features.rowwise() - mean;
  if (options_.kind == NormaliseKind::kStandardise) {
    square_sum_ = keep * square_sum_ + centred.array().square().matrix().colwise().sum();
    const RowVectorXd scale =
        ((head_.card.variance.transpose().array() + 1e-6) / (square_sum_.array() / weight_ + 1e-6))
            .sqrt()
            .max(0.2)
            .min(5);
    const MatrixXd moved = (centred.array().rowwise() * scale.array()).matrix().rowwise() + head_.mean.transpose();
    return softmax_of(logits_of(head_, moved));
  }
  const MatrixXd recentred = logits_of(head_, centred.rowwise() + head_.mean.transpose());
  if (options_.kind == NormaliseKind::kRecentre) return softmax_of(recentred);
  return softmax_of((recentred + logits_of(head_, features)) / 2);
}

Prior::Prior(const Head& head, const PriorOptions& options)
    : options_(options), head_(head), prior_(class_prior(head)), proportions_(prior_), recent_(0, head.weight.rows()) {}

MatrixXd Prior::adapt(const MatrixXd& features) {
  const MatrixXd probabilities = softmax_of(logits_of(head_, features) / head_.card.temperature);
  MatrixXd rows(recent_.rows() + probabilities.rows(), recent_.cols());
  rows << recent_, probabilities;
  recent_ = rows.bottomRows(std::min<Index>(rows.rows(), 500));
  since_estimate_ += probabilities.rows();
  const auto corrected = [&](const MatrixXd& p) {
    MatrixXd answer = p.array().rowwise() * (proportions_ / prior_.max(1e-3)).transpose();
    for (Index i = 0; i < answer.rows(); ++i) answer.row(i) /= answer.row(i).sum();
    return answer;
  };
  if (since_estimate_ >= options_.refresh) {
    since_estimate_ = 0;
    proportions_ = prior_;
    for (int round = 0; round < 20; ++round)
      proportions_ = (corrected(recent_).colwise().sum().transpose().array() + 10 * prior_) /
                     (static_cast<double>(recent_.rows()) + 10);
  }
  return corrected(probabilities);
}

}  // namespace stad::reference
