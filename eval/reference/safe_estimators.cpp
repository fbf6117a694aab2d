#include "reference/safe_estimators.hpp"

#include <algorithm>
#include <cmath>

namespace stad::reference {

using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using Eigen::VectorXd;

namespace {

const double kKept = std::exp(-1.0 / 1000);  // discount factor a row

double log_softmax_at(const RowVectorXd& logits, Index label) {
  const double largest = logits.maxCoeff();
  return logits[label] - largest - std::log((logits.array() - largest).exp().sum());
}

VectorXd shares_of_concentration() {
  return (VectorXd(7) << 2, 1, 1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 32).finished();
}

void add_count(Index label, VectorXd& counts) {
  counts *= kKept;
  counts[label] += 1;
}

}  // namespace

void ReferenceMean::add(double value) {
  sum = kKept * sum + value;
  weight = kKept * weight + 1;
}

MatrixXd accumulated(const MatrixXd& sums, const MatrixXd& shares, const MatrixXd& h, double memory) {
  MatrixXd result = shares.transpose() * h;
  for (Index k = 0; k < sums.rows(); ++k) result.row(k) += std::exp(-shares.col(k).sum() / memory) * sums.row(k);
  return result;
}

MatrixXd directions(const MatrixXd& sums, double anchor, const MatrixXd& source) {
  MatrixXd result = sums + anchor * source;
  for (Index k = 0; k < result.rows(); ++k)
    if (result.row(k).norm() > 0) result.row(k) /= result.row(k).norm();
  return result;
}

std::vector<Index> labels_of(const MatrixXd& rows) {
  std::vector<Index> labels(static_cast<std::size_t>(rows.rows()));
  for (Index n = 0; n < rows.rows(); ++n) rows.row(n).maxCoeff(&labels[static_cast<std::size_t>(n)]);
  return labels;
}

ReferencePersistence::ReferencePersistence(Index classes)
    : counts(VectorXd::Constant(classes, 50 / static_cast<double>(classes))) {}

void ReferencePersistence::observe(Index label, double sure) {
  if (last >= 0) alike.add(label == last ? 1 : 0);
  confidence.add(sure);
  counts = (kKept * counts.array() + (1 - kKept) * 50 / static_cast<double>(counts.size())).matrix();
  counts[label] += 1;
  last = label;
}

double ReferencePersistence::share() const {
  if (alike.weight < 2) return 0;
  const double chance = (counts / counts.sum()).squaredNorm();
  const double right = confidence.value();
  const double persistent = right * right + (1 - right) * (1 - right) / static_cast<double>(counts.size() - 1);
  return (alike.value() - chance) / std::max(persistent - chance, 0.1);
}

ReferenceShadow::ReferenceShadow(Index classes, Index dimension)
    : sums(MatrixXd::Zero(classes, dimension)),
      agreed{.sum = 0.5 * 100, .weight = 100},
      shadow_counts(VectorXd::Constant(classes, 100 / static_cast<double>(classes))),
      source_counts(shadow_counts),
      scores(VectorXd::Zero(shares_of_concentration().size())) {}

void ReferenceShadow::observe(const MatrixXd& h, const std::vector<Index>& labels, const MatrixXd& source,
                              double similarity) {
  constexpr Index kChunk = 64;
  constexpr double kMemory = 100;
  constexpr double kAnchor = 8;
  const VectorXd shares = shares_of_concentration();
  for (Index first = 0; first < h.rows(); first += kChunk) {
    const MatrixXd rows = h.middleRows(first, std::min(kChunk, h.rows() - first));
    const MatrixXd cosines = rows * directions(sums, kAnchor * similarity, source).transpose();
    const std::vector<Index> answers = labels_of(cosines);
    const double kappa = full_concentration();
    MatrixXd one_hot = MatrixXd::Zero(rows.rows(), source.rows());
    for (Index n = 0; n < rows.rows(); ++n) {
      const Index label = labels[static_cast<std::size_t>(first + n)];
      const Index answer = answers[static_cast<std::size_t>(n)];
      agreed.add(answer == label ? 1 : 0);
      length.add(cosines(n, label));
      add_count(answer, shadow_counts);
      add_count(label, source_counts);
      for (Index i = 0; i < shares.size(); ++i)
        scores[i] = kKept * scores[i] + log_softmax_at(shares[i] * kappa * cosines.row(n), label);
      one_hot(n, label) = 1;
    }
    sums = accumulated(sums, one_hot, rows, kMemory);
  }
}

double ReferenceShadow::agreement() const {
  const double chance = (shadow_counts / shadow_counts.sum()).dot(source_counts / source_counts.sum());
  return (agreed.value() - chance) / std::max(1 - chance, 1e-9);
}

double ReferenceShadow::disagreement() const {
  const auto classes = static_cast<double>(shadow_counts.size());
  return std::min((1 - agreed.value()) * classes / (classes - 1), 1.0);
}

double ReferenceShadow::full_concentration() const {
  const double r = std::clamp(length.value(), 0.0, 1 - 1e-9);
  return std::clamp((r * static_cast<double>(sums.cols()) - r * r * r) / (1 - r * r), 1e-2, 1e6);
}

double ReferenceShadow::concentration() const {
  const VectorXd weights = (scores.array() - scores.maxCoeff()).exp();
  return full_concentration() * weights.dot(shares_of_concentration()) / weights.sum();
}

RowVectorXd ReferenceShadow::log_ratios() const {
  return ((shadow_counts.array() + 10) / (source_counts.array() + 10)).log().matrix().transpose();
}

namespace {

double normal_density(double value, double mean, double spread) {
  const double distance = (value - mean) / spread;
  return std::exp(-distance * distance / 2) / spread;
}

}  // namespace

double ReferenceBackground::observe(double fit) {
  const auto bins = static_cast<double>(fits.size());
  fits *= std::exp(-1.0 / 1000);
  fits[static_cast<Eigen::Index>(std::clamp(std::floor((fit + 1) / 2 * bins), 0.0, bins - 1))] += 1;
  const double answer = unknown(fit);
  share.add(answer);
  return answer;
}

double ReferenceBackground::quantile(double below) const {
  const double target = below * fits.sum();
  double passed = 0;
  Eigen::Index bin = 0;
  while (bin + 1 < fits.size() && passed + fits[bin] < target) passed += fits[bin++];
  return -1 + 2 * (static_cast<double>(bin) + (target - passed) / fits[bin]) / static_cast<double>(fits.size());
}

double ReferenceBackground::unknown(double fit) const {
  if (fits.sum() < 50) return 0;
  const double median = quantile(0.5);
  const double spread = std::max((median - quantile(0.4)) / 0.2533471031357997, 2.0 / 128);
  // The background is centred three spreads lower and 1.5 times as wide. Beyond 2.4 spreads its wider tail would
  // exceed the density of known rows.
  const double evaluated = std::min(fit, median + 2.4 * spread);
  const double p = std::clamp(share.value(), 0.01, 0.5);
  const double background = p * normal_density(evaluated, median - 3 * spread, 1.5 * spread);
  const double known = (1 - p) * normal_density(evaluated, median, spread);
  return known > 0 ? background / (background + known) : 1;
}

}  // namespace stad::reference
