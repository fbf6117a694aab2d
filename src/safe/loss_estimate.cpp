#include "safe/loss_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "data/source_logits.hpp"

namespace stad::safe {
namespace {

/// W mean + b, from the source's mean or from the card's class means; empty without both.
Eigen::VectorXd logits_of_mean(const SourceModel& source, const Eigen::VectorXd& prior) {
  if (source.has_mean()) return mean_logits(source);
  if (source.mean_products().empty()) return {};
  Eigen::VectorXd logits = as_eigen(source.mean_products()).cast<double>().transpose() * prior;
  if (source.has_bias()) logits.array() += as_array(source.bias()).cast<double>();
  return logits;
}

}  // namespace

LossEstimate::LossEstimate(const SourceModel& source, const Eigen::VectorXd& prior, const Params& params)
    : params_(params),
      card_accuracy_(source.card().accuracy),
      card_confidence_(source.card().confidence),
      prior_(prior),
      mean_logits_(logits_of_mean(source, prior)),
      state_{.logits = params.loss_prior_rows * mean_logits_, .logit_rows = params.loss_prior_rows} {}

void LossEstimate::add(const DoubleRowsMap& logits, std::span<const Index> labels, const FloatRowsMap& probabilities,
                       const VectorMap& proportions) {
  if (!is_possible()) return;
  const auto rows = static_cast<double>(logits.rows());
  const double keep = std::exp(-rows / params_.loss_rows);
  state_.logits *= keep;
  for (Index n = 0; n < logits.rows(); ++n) state_.logits += logits.row(n).transpose();
  state_.logit_rows = keep * state_.logit_rows + rows;

  Scratch scratch;
  auto shift = take_vector(scratch, logits.cols());
  auto ratio = take_vector(scratch, logits.cols());
  shift = mean_logits_ - state_.logits / state_.logit_rows;
  ratio = prior_.array() / proportions.array().max(params_.loss_least_proportion);
  double confidence = 0, agreement = 0;
  for (Index n = 0; n < logits.rows(); ++n) {
    const Index label = labels[static_cast<std::size_t>(n)];
    Index recentred = 0, aligned = 0;
    (logits.row(n) + shift.transpose()).maxCoeff(&recentred);
    (probabilities.row(n).cast<double>().array() * ratio.transpose().array()).maxCoeff(&aligned);
    confidence += probabilities(n, label);
    agreement += 0.5 * ((recentred == label ? 1 : 0) + (aligned == label ? 1 : 0));
  }
  state_.rows = keep * state_.rows + rows;
  state_.confidence = keep * state_.confidence + confidence;
  state_.agreement = keep * state_.agreement + agreement;
}

std::optional<double> LossEstimate::loss() const {
  if (!is_possible() || state_.rows == 0) return std::nullopt;
  const double expected = *card_accuracy_ - *card_confidence_ + state_.confidence / state_.rows;
  return *card_accuracy_ - expected * state_.agreement / state_.rows;
}

std::optional<Warning> LossEstimate::warning() const {
  const std::optional<double> lost = loss();
  if (!lost) return std::nullopt;
  if (*lost < params_.watch_loss) return Warning::kFine;
  return *lost < params_.act_loss ? Warning::kWatch : Warning::kAct;
}

}  // namespace stad::safe
