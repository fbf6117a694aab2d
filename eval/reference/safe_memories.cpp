#include "reference/safe_memories.hpp"

#include <algorithm>
#include <cmath>

#include "reference/safe_judges.hpp"

namespace stad::reference {

using Eigen::MatrixXd;
using Eigen::Vector2d;

namespace {

constexpr std::array<double, 2> kMemories{5, 50};

}  // namespace

bool SurpriseJudge::observe(double new_fit, Index new_rows) {
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

MemoryBank::MemoryBank(Index classes, Index dimension) {
  for (MatrixXd& member : sums) member = MatrixXd::Zero(classes, dimension);
}

Vector2d MemoryBank::shares(double persistence) const {
  const Vector2d logs = scores - Vector2d(20, 0);
  Vector2d weights = (logs.array() - logs.maxCoeff()).exp();
  weights *= (1 - persistence) / weights.sum();
  weights[1] += persistence;
  weights = (weights.array() - 1e-3).max(0.0);
  return weights / weights.sum();
}

MatrixXd MemoryBank::directions(const Vector2d& shares, const MatrixXd& responsibilities, const MatrixXd& h,
                                double anchor, const MatrixXd& source) const {
  MatrixXd sum = MatrixXd::Zero(source.rows(), source.cols());
  for (std::size_t m = 0; m < sums.size(); ++m)
    sum += shares[static_cast<Index>(m)] *
           reference::directions(with_heard(sums[m], responsibilities, h, kMemories[m]), anchor, source);
  return reference::directions(sum, 0, source);
}

void MemoryBank::learn(const MatrixXd& responsibilities, const MatrixXd& h, double anchor, const MatrixXd& source,
                       double concentration, const Vector2d& shares) {
  constexpr Index kChunk = 64;
  for (Index first = 0; first < h.rows(); first += kChunk) {
    const Index length = std::min(kChunk, h.rows() - first);
    const MatrixXd next = responsibilities.middleRows(first, length).transpose() * h.middleRows(first, length);
    Vector2d fits;
    for (std::size_t m = 0; m < sums.size(); ++m) {
      const MatrixXd before = with_heard(sums[m], responsibilities.topRows(first), h.topRows(first), kMemories[m]);
      fits[static_cast<Index>(m)] = reference::directions(before, anchor, source).cwiseProduct(next).sum();
    }
    const bool surprised = surprise.observe(shares.dot(fits), length);
    const double keep = surprised ? 0 : std::exp(-static_cast<double>(length) / 1000);
    scores = keep * scores + concentration * (fits.array() - fits[1]).matrix();
    if (surprised) change_world(next, fits.maxCoeff(), anchor, source, concentration);
  }
  for (std::size_t m = 0; m < sums.size(); ++m) sums[m] = with_heard(sums[m], responsibilities, h, kMemories[m]);
}

void MemoryBank::change_world(const MatrixXd& next, double fit, double anchor, const MatrixXd& source,
                              double concentration) {
  const MatrixXd left = sums[1];
  double best = fit + 20 / concentration;
  auto chosen = worlds.end();
  for (auto world = worlds.begin(); world != worlds.end(); ++world) {
    const double fits = reference::directions(*world, anchor, source).cwiseProduct(next).sum();
    if (fits > best) best = fits, chosen = world;
  }
  if (chosen != worlds.end()) {
    sums[1] = *chosen;
    worlds.erase(chosen);
  }
  worlds.push_back(left);
  if (worlds.size() > 3) worlds.erase(worlds.begin());
}

void MemoryBank::fade(double keep) {
  for (MatrixXd& member : sums) member *= keep;
}

void MemoryBank::forget() {
  for (MatrixXd& member : sums) member.setZero();
  scores.setZero();
  worlds.clear();
}

}  // namespace stad::reference
