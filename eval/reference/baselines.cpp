#include "reference/baselines.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "reference/method.hpp"

namespace stad::reference {

using Eigen::MatrixXd;

MatrixXd source_probabilities(const Head& head, const MatrixXd& features) {
  MatrixXd logits = features * head.weight.transpose();
  if (head.bias.size() > 0) logits.rowwise() += head.bias.transpose();
  return softmax_of(logits);
}

MatrixXd Source::adapt(const MatrixXd& features) { return source_probabilities(head_, features); }

using Eigen::MatrixXd;
using Eigen::VectorXd;

T3a::T3a(const Head& head, const T3aOptions& options)
    : options_(options), head_(head), supports_(static_cast<std::size_t>(head.weight.rows())) {
  add_supports(head.weight);
  prune();
  update_weight();
}

MatrixXd T3a::adapt(const MatrixXd& features) {
  add_supports(features);
  prune();
  update_weight();
  return softmax_of(features * weight_.transpose());
}

void T3a::add_supports(const MatrixXd& features) {
  const MatrixXd probabilities = source_probabilities(head_, features);
  for (Index n = 0; n < features.rows(); ++n) {
    Index label = 0;
    probabilities.row(n).maxCoeff(&label);
    double entropy = 0;
    for (const double p : probabilities.row(n))
      if (p > 0) entropy -= p * std::log(p);
    supports_[label].push_back({features.row(n).transpose().normalized(), entropy});
  }
}

void T3a::prune() {
  if (!options_.supports) return;
  for (auto& kept : supports_) {
    std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.entropy < b.entropy; });
    if (static_cast<Index>(kept.size()) > *options_.supports) kept.erase(kept.begin() + *options_.supports, kept.end());
  }
}

void T3a::update_weight() {
  weight_ = MatrixXd::Zero(head_.weight.rows(), head_.weight.cols());
  for (std::size_t k = 0; k < supports_.size(); ++k) {
    VectorXd sum = VectorXd::Zero(weight_.cols());
    for (const Support& support : supports_[k]) sum += support.direction;
    if (sum.norm() > 0) weight_.row(static_cast<Index>(k)) = sum.transpose() / sum.norm();
  }
}

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// For every row the k other rows with the largest inner product, ties by index. k = min(k, N - 1).
std::vector<std::vector<Index>> neighbours_of(const MatrixXd& features, Index k) {
  const MatrixXd h = unit(features).transpose();  // one sample a column
  std::vector<std::vector<Index>> neighbours;
  for (Index n = 0; n < h.cols(); ++n) {
    const VectorXd closeness = h.transpose() * h.col(n);
    std::vector<Index> others;
    for (Index m = 0; m < h.cols(); ++m)
      if (m != n) others.push_back(m);
    std::stable_sort(others.begin(), others.end(), [&](Index a, Index b) { return closeness[a] > closeness[b]; });
    others.resize(static_cast<std::size_t>(std::min<Index>(k, std::ssize(others))));
    neighbours.push_back(others);
  }
  return neighbours;
}

/// A Y
MatrixXd sum_of_neighbours(const std::vector<std::vector<Index>>& neighbours, const MatrixXd& y) {
  MatrixXd sums = MatrixXd::Zero(y.rows(), y.cols());
  for (std::size_t n = 0; n < neighbours.size(); ++n)
    for (const Index m : neighbours[n]) sums.row(static_cast<Index>(n)) += y.row(m);
  return sums;
}

/// E = sum(unary Y - (A Y_before) Y + Y log Y)
double energy(const MatrixXd& unary, const MatrixXd& pull, const MatrixXd& y) {
  double sum = 0;
  for (Index n = 0; n < y.rows(); ++n)
    for (Index k = 0; k < y.cols(); ++k)
      if (y(n, k) > 0) sum += y(n, k) * (unary(n, k) - pull(n, k) + std::log(y(n, k)));
  return sum;
}

}  // namespace

MatrixXd Lame::adapt(const MatrixXd& features) {
  const MatrixXd unary = -(source_probabilities(head_, features).array() + 1e-10).log();
  const auto neighbours = neighbours_of(features, options_.neighbours);
  MatrixXd y = softmax_of(-unary);
  double energy_before = 0;
  for (int i = 1; i <= 100; ++i) {
    const MatrixXd pull = sum_of_neighbours(neighbours, y);
    y = softmax_of(pull - unary);
    const double now = energy(unary, pull, y);
    if (i > 2 && std::abs(now - energy_before) <= 1e-8 * std::abs(energy_before)) break;
    energy_before = now;
  }
  return y;
}

}  // namespace stad::reference
