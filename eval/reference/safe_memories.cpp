#include "reference/safe_memories.hpp"

#include <algorithm>
#include <cmath>

#include "reference/safe_estimators.hpp"

namespace stad::reference {

using Eigen::MatrixXd;
using Eigen::Vector2d;

namespace {

constexpr std::array<double, 2> kMemories{5, 50};

}  // namespace

bool ReferenceChangeDetector::observe(double new_fit, Index new_rows) {
  fit += new_fit;
  rows += static_cast<double>(new_rows);
  if (rows < 64) return false;
  const double value = fit / rows;
  fit = rows = 0;
  if (chunks == 0) {
    ++chunks;
    ++falls;
    level = value;
    return false;
  }
  const double gain = value - level;
  if (chunks >= 8 && falls >= 16 && -gain > 7 * fall && -gain > 0.1 * level) {
    chunks = 1;
    level = value;
    return true;
  }
  chunks = std::min(chunks + 1, 40.0);
  level += gain / std::min(chunks, 4.0);
  falls = std::min(falls + 1, 40.0);
  const double most = falls > 8 ? 3 * std::max(fall, 1e-3) : 1;
  fall += (std::clamp(-2 * gain, 0.0, most) - fall) / falls;
  return false;
}

ReferenceMemories::ReferenceMemories(Index classes, Index dimension) {
  for (MatrixXd& member : sums) member = MatrixXd::Zero(classes, dimension);
}

Vector2d ReferenceMemories::shares(double persistence) const {
  const Vector2d logs = scores - Vector2d(20, 0);
  Vector2d weights = (logs.array() - logs.maxCoeff()).exp();
  weights *= (1 - persistence) / weights.sum();
  weights[1] += persistence;
  weights = (weights.array() - 1e-3).max(0.0);
  return weights / weights.sum();
}

MatrixXd ReferenceMemories::directions(const Vector2d& shares, const MatrixXd& responsibilities, const MatrixXd& h,
                                       double anchor, const MatrixXd& source) const {
  MatrixXd sum = MatrixXd::Zero(source.rows(), source.cols());
  for (std::size_t m = 0; m < sums.size(); ++m)
    sum += shares[static_cast<Index>(m)] *
           reference::directions(accumulated(sums[m], responsibilities, h, kMemories[m]), anchor, source);
  return reference::directions(sum, 0, source);
}

void ReferenceMemories::learn(const MatrixXd& responsibilities, const MatrixXd& h, double anchor,
                              const MatrixXd& source, double concentration, const Vector2d& shares) {
  constexpr Index kChunk = 64;
  for (Index first = 0; first < h.rows(); first += kChunk) {
    const Index length = std::min(kChunk, h.rows() - first);
    const MatrixXd next = responsibilities.middleRows(first, length).transpose() * h.middleRows(first, length);
    Vector2d fits;
    for (std::size_t m = 0; m < sums.size(); ++m) {
      const MatrixXd before = accumulated(sums[m], responsibilities.topRows(first), h.topRows(first), kMemories[m]);
      fits[static_cast<Index>(m)] = reference::directions(before, anchor, source).cwiseProduct(next).sum();
    }
    const bool changed = detector.observe(shares.dot(fits), length);
    const double keep = changed ? 0 : std::exp(-static_cast<double>(length) / 1000);
    scores = keep * scores + concentration * (fits.array() - fits[1]).matrix();
    if (changed) switch_regime(next, fits.maxCoeff(), anchor, source, concentration);
  }
  for (std::size_t m = 0; m < sums.size(); ++m) sums[m] = accumulated(sums[m], responsibilities, h, kMemories[m]);
}

void ReferenceMemories::switch_regime(const MatrixXd& next, double fit, double anchor, const MatrixXd& source,
                                      double concentration) {
  const MatrixXd left = sums[1];
  double best = fit + 20 / concentration;
  auto chosen = regimes.end();
  for (auto regime = regimes.begin(); regime != regimes.end(); ++regime) {
    const double fits = reference::directions(*regime, anchor, source).cwiseProduct(next).sum();
    if (fits > best) best = fits, chosen = regime;
  }
  if (chosen != regimes.end()) {
    sums[1] = *chosen;
    regimes.erase(chosen);
  }
  regimes.push_back(left);
  if (regimes.size() > 3) regimes.erase(regimes.begin());
}

void ReferenceMemories::fade(double keep) {
  for (MatrixXd& member : sums) member *= keep;
}

void ReferenceMemories::forget() {
  for (MatrixXd& member : sums) member.setZero();
  scores.setZero();
  regimes.clear();
}

}  // namespace stad::reference
