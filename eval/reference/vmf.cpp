#include "reference/vmf.hpp"

#include <algorithm>
#include <cmath>

#include "math/bessel_ratio.hpp"
#include "math/log_normaliser.hpp"
#include "reference/method.hpp"

namespace stad::reference {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Vmf::Vmf(const Head& head, const StadVmfOptions& options)
    : options_(options),
      source_(unit(head.weight)),
      mean_(head.mean),
      kappa_trans_(VectorXd::Constant(head.weight.rows(), options.kappa_trans)),
      kappa_ems_(VectorXd::Constant(head.weight.rows(), options.kappa_ems)) {}

MatrixXd Vmf::adapt(const MatrixXd& features) {
  MatrixXd h = features;
  if (options_.center == Center::kSource) h.rowwise() -= mean_.transpose();
  h = unit(h);
  const MatrixXd before = predict(h);

  const bool continues = options_.dynamics && options_.init == Init::kPrevious && !steps_.empty();
  Step step;
  step.h = h;
  step.expected = continues ? steps_.back().expected : source_;
  step.rho = continues ? steps_.back().rho : source_;
  step.pi = VectorXd::Constant(source_.rows(), 1.0 / static_cast<double>(source_.rows()));
  steps_.push_back(step);
  while (static_cast<Index>(steps_.size()) > (options_.dynamics ? options_.window + 1 : 1)) {
    past_ = steps_.front().expected;
    steps_.pop_front();
  }
  if (!options_.dynamics) {
    kappa_trans_.setConstant(options_.kappa_trans);
    kappa_ems_.setConstant(options_.kappa_ems);
  }
  for (Index sweep = 0; sweep < options_.sweeps; ++sweep) {
    for (std::size_t i = 0; i < steps_.size(); ++i) update_step(i);
    learn_kappas();
  }
  return options_.predict == Predict::kBefore ? before : predict(h);
}

void Vmf::update_step(std::size_t i) {
  Step& step = steps_[i];
  const Index dimension = source_.cols();
  MatrixXd logits(step.h.rows(), source_.rows());
  for (Index k = 0; k < source_.rows(); ++k)
    logits.col(k) = (kappa_ems_[k] * (step.h * step.expected.row(k).transpose())).array() +
                    std::log(std::max(step.pi[k], 1e-8)) + log_normaliser(dimension, kappa_ems_[k]);
  step.lambda = softmax_of(logits);
  for (Index k = 0; k < source_.rows(); ++k) {
    VectorXd beta = kappa_ems_[k] * (step.h.transpose() * step.lambda.col(k));
    if (options_.dynamics) {
      if (i > 0)
        beta += kappa_trans_[k] * steps_[i - 1].expected.row(k).transpose();
      else if (past_.size() > 0)
        beta += kappa_trans_[k] * past_.row(k).transpose();
      else
        beta += options_.kappa_0 * source_.row(k).transpose();
      if (i + 1 < steps_.size()) beta += kappa_trans_[k] * steps_[i + 1].expected.row(k).transpose();
    }
    const double gamma = beta.norm();
    if (gamma <= 1e-12) continue;
    step.rho.row(k) = beta.transpose() / gamma;
    step.expected.row(k) = bessel_ratio(dimension, gamma) * step.rho.row(k);
  }
  step.pi = step.lambda.colwise().mean().transpose();
}

namespace {

double kappa_from(double r, Index dimension) {
  r = std::clamp(std::abs(r), 0.0, 1 - 1e-9);
  return std::clamp((r * static_cast<double>(dimension) - r * r * r) / (1 - r * r), 1e-2, 1e6);
}

}  // namespace

void Vmf::learn_kappas() {
  if (options_.learn_kappa == LearnKappa::kNone) return;
  const Index classes = source_.rows();
  const Index dimension = source_.cols();
  const bool global = options_.learn_kappa == LearnKappa::kGlobal;
  VectorXd pairs = VectorXd::Zero(classes);
  VectorXd agreement = VectorXd::Zero(classes);
  VectorXd mass = VectorXd::Zero(classes);
  for (std::size_t i = 0; i < steps_.size(); ++i)
    for (Index k = 0; k < classes; ++k) {
      if (i > 0) pairs[k] += steps_[i - 1].expected.row(k).dot(steps_[i].expected.row(k));
      agreement[k] += steps_[i].lambda.col(k).dot(steps_[i].h * steps_[i].expected.row(k).transpose());
      mass[k] += steps_[i].lambda.col(k).sum();
    }
  const auto links = static_cast<double>(steps_.size() - 1);
  for (Index k = 0; k < classes; ++k) {
    if (links > 0) kappa_trans_[k] = kappa_from(global ? pairs.mean() / links : pairs[k] / links, dimension);
    if (global)
      kappa_ems_[k] = kappa_from(agreement.sum() / mass.sum(), dimension);
    else if (mass[k] >= 1)
      kappa_ems_[k] = kappa_from(agreement[k] / mass[k], dimension);
  }
}

MatrixXd Vmf::predict(const MatrixXd& h) const {
  MatrixXd logits = h * prototypes().transpose();
  if (options_.probabilities == VmfProbabilities::kPaper) return softmax_of(logits);
  for (Index k = 0; k < logits.cols(); ++k) {
    logits.col(k) = kappa_ems_[k] * logits.col(k).array() + log_normaliser(source_.cols(), kappa_ems_[k]);
    const double pi = steps_.empty() ? 1.0 / static_cast<double>(source_.rows()) : steps_.back().pi[k];
    if (options_.probabilities == VmfProbabilities::kPosterior) logits.col(k).array() += std::log(std::max(pi, 1e-8));
  }
  return softmax_of(logits);
}

}  // namespace stad::reference
