#include "reference/t3a.hpp"

#include <algorithm>
#include <cmath>

#include "reference/rows.hpp"
#include "reference/source.hpp"

namespace stad::reference {

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

}  // namespace stad::reference
