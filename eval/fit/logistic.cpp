#include "fit/logistic.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "math/eigen.hpp"

namespace stad {
namespace {

using Eigen::VectorXd;

constexpr Index kBlock = 256;      // rows converted to double at a time
constexpr Index kMostPieces = 16;  // partial sums of the gradient

/// Replaces logits by softmax minus one-hot, row by row. Returns the sum of the cross-entropies.
double residuals(DoubleRows& logits, std::span<const std::int64_t> labels) {
  double loss = 0;
  for (Index n = 0; n < logits.rows(); ++n) {
    auto row = logits.row(n);
    const double largest = row.maxCoeff();
    const double truth = row(labels[static_cast<std::size_t>(n)]) - largest;
    row = (row.array() - largest).exp();
    const double total = row.sum();
    row /= total;
    row(labels[static_cast<std::size_t>(n)]) -= 1;
    loss += std::log(total) - truth;
  }
  return loss;
}

}  // namespace

Standardisation standardise(MatrixView features) {
  Standardisation standard{VectorXd::Zero(features.cols), 1};
  const auto rows = as_eigen(features);
  for (Index n = 0; n < features.rows; ++n) standard.mean += rows.row(n).transpose().cast<double>();
  standard.mean /= static_cast<double>(features.rows);
  double squares = 0;
  for (Index n = 0; n < features.rows; ++n)
    squares += (rows.row(n).transpose().cast<double>() - standard.mean).squaredNorm();
  const double scale = std::sqrt(squares / static_cast<double>(features.rows * features.cols));
  if (scale > 0) standard.scale = scale;
  return standard;
}

LogisticLoss::LogisticLoss(MatrixView features, std::span<const std::int64_t> labels, Index classes, double l2,
                           Standardisation standard)
    : features_(features), labels_(labels), classes_(classes), l2_(l2), standard_(std::move(standard)) {}

double LogisticLoss::add_rows(Index first, Index last, const VectorXd& parameters, VectorXd& gradient) const {
  const Index d = features_.cols;
  const Eigen::Map<const DoubleRows> weight(parameters.data(), classes_, d);
  const auto bias = parameters.tail(classes_);
  Eigen::Map<DoubleRows> weight_gradient(gradient.data(), classes_, d);
  double loss = 0;
  for (Index at = first; at < last; at += kBlock) {
    const Index count = std::min(kBlock, last - at);
    DoubleRows z = as_eigen(features_.rows_from(at, count)).cast<double>();
    z = (z.rowwise() - standard_.mean.transpose()) / standard_.scale;
    DoubleRows r = (z * weight.transpose()).rowwise() + bias.transpose();
    loss += residuals(r, labels_.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count)));
    weight_gradient.noalias() += r.transpose() * z;
    gradient.tail(classes_) += r.colwise().sum().transpose();
  }
  return loss;
}

double LogisticLoss::operator()(const VectorXd& parameters, VectorXd& gradient) const {
  // The pieces depend on the shape alone and are added in order, so that the result does not depend on the threads.
  const Index n = features_.rows;
  const Index pieces = std::clamp<Index>(n / kBlock, 1, kMostPieces);
  std::vector<VectorXd> gradients(static_cast<std::size_t>(pieces), VectorXd::Zero(parameters.size()));
  std::vector<double> losses(static_cast<std::size_t>(pieces));
  parallel_for(pieces, [&](Index p) {
    const auto i = static_cast<std::size_t>(p);
    losses[i] = add_rows(n * p / pieces, n * (p + 1) / pieces, parameters, gradients[i]);
  });

  const auto weights = parameters.head(classes_ * features_.cols);
  double loss = 0;
  gradient = VectorXd::Zero(parameters.size());
  for (std::size_t p = 0; p < losses.size(); ++p) {
    loss += losses[p];
    gradient += gradients[p];
  }
  gradient /= static_cast<double>(n);
  gradient.head(weights.size()) += l2_ * weights;
  return loss / static_cast<double>(n) + l2_ / 2 * weights.squaredNorm();
}

}  // namespace stad
