#include "plain/safe_memories.hpp"

#include <algorithm>
#include <cmath>

#include "plain/safe_judges.hpp"

namespace stad::plain {

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
  bool surprised = false;
  if (chunks >= 8) {
    const double mean = sum / chunks;
    const double deviation = std::sqrt(std::max(squares / chunks - mean * mean, 1e-6));
    surprised = value < mean - 4 * deviation;
  }
  const double keep = surprised ? 0 : std::exp(-1.0 / 16);
  chunks = keep * chunks + 1;
  sum = keep * sum + value;
  squares = keep * squares + value * value;
  fit = rows = 0;
  return surprised;
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
           plain::directions(with_heard(sums[m], responsibilities, h, kMemories[m]), anchor, source);
  return plain::directions(sum, 0, source);
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
      fits[static_cast<Index>(m)] = plain::directions(before, anchor, source).cwiseProduct(next).sum();
    }
    const double keep = surprise.observe(shares.dot(fits), length) ? 0 : std::exp(-static_cast<double>(length) / 1000);
    scores = keep * scores + concentration * (fits.array() - fits[1]).matrix();
  }
  for (std::size_t m = 0; m < sums.size(); ++m) sums[m] = with_heard(sums[m], responsibilities, h, kMemories[m]);
}

void MemoryBank::fade(double keep) {
  for (MatrixXd& member : sums) member *= keep;
}

void MemoryBank::forget() {
  for (MatrixXd& member : sums) member.setZero();
  scores.setZero();
}

}  // namespace stad::plain
