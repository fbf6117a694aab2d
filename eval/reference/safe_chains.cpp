#include "reference/safe_chains.hpp"

#include <algorithm>
#include <cmath>

namespace stad::reference {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr Index kSmoothedChunk = 64;
constexpr double kScoredRows = 600;

/// Likelihood of a row: max(p, 1e-12)^b, normalised.
VectorXd likelihood(const VectorXd& posterior, double power) {
  const VectorXd powers = posterior.unaryExpr([&](double p) { return std::pow(std::max(p, 1e-12), power); });
  return powers / powers.sum();
}

/// Forward-backward smoothing of one chunk with one chain.
MatrixXd smoothed_by(ReferenceChain& chain, const MatrixXd& posteriors) {
  const auto classes = static_cast<double>(posteriors.cols());
  std::vector<VectorXd> likelihoods;
  std::vector<VectorXd> forward;
  for (Index n = 0; n < posteriors.rows(); ++n) {
    likelihoods.push_back(likelihood(posteriors.row(n).transpose(), chain.power));
    const VectorXd expected = chain.transition.transpose() * chain.filtered;
    const VectorXd joint = expected.cwiseProduct(likelihoods.back());
    // The independent model predicts 1 / K for every label, so its sum is 1 / K.
    chain.score = std::exp(-1 / kScoredRows) * chain.score + std::log(classes * joint.sum());
    chain.filtered = joint / joint.sum();
    forward.push_back(chain.filtered);
  }
  MatrixXd result(posteriors.rows(), posteriors.cols());
  VectorXd backward = VectorXd::Ones(posteriors.cols());
  for (Index n = posteriors.rows() - 1; n >= 0; --n) {
    const auto i = static_cast<std::size_t>(n);
    const VectorXd joint = forward[i].cwiseProduct(backward);
    result.row(n) = joint.transpose() / joint.sum();
    backward = chain.transition * likelihoods[i].cwiseProduct(backward);
    backward /= backward.sum();
  }
  return result;
}

MatrixXd smoothed_chunk(const MatrixXd& posteriors, std::vector<ReferenceChain>& chains) {
  std::vector<MatrixXd> answers{posteriors};  // independent model, whose score is zero
  std::vector<double> scores{0};
  for (ReferenceChain& chain : chains) {
    answers.push_back(smoothed_by(chain, posteriors));
    scores.push_back(chain.score);
  }
  const double best = *std::max_element(scores.begin(), scores.end());
  MatrixXd sum = MatrixXd::Zero(posteriors.rows(), posteriors.cols());
  double total = 0;
  for (std::size_t c = 0; c < scores.size(); ++c) {
    sum += std::exp(scores[c] - best) * answers[c];
    total += std::exp(scores[c] - best);
  }
  return sum / total;
}

}  // namespace

std::vector<ReferenceChain> label_chains(Index classes) {
  const double each = 1 / static_cast<double>(classes);
  std::vector<ReferenceChain> chains;
  for (const double stay : {0.8, 0.95, 0.99})
    for (const double power : {1.0, 0.5, 0.25, 0.125})
      chains.push_back(
          {stay * MatrixXd::Identity(classes, classes) + MatrixXd::Constant(classes, classes, (1 - stay) * each), power,
           VectorXd::Constant(classes, each)});
  return chains;
}

MatrixXd smoothed(const MatrixXd& posteriors, std::vector<ReferenceChain>& chains) {
  MatrixXd result(posteriors.rows(), posteriors.cols());
  for (Index first = 0; first < posteriors.rows(); first += kSmoothedChunk) {
    const Index length = std::min(kSmoothedChunk, posteriors.rows() - first);
    result.middleRows(first, length) = smoothed_chunk(posteriors.middleRows(first, length), chains);
  }
  return result;
}

void start_from(const MatrixXd& posteriors, std::vector<ReferenceChain>& chains) {
  for (ReferenceChain& chain : chains) {
    chain.filtered = posteriors.row(posteriors.rows() - 1).transpose();
    chain.score = 0;
  }
}

}  // namespace stad::reference
