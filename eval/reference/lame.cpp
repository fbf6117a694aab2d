#include "reference/lame.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "reference/rows.hpp"
#include "reference/source.hpp"

namespace stad::reference {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// For every row the k other rows with the largest inner product, ties by index. k = min(k, N - 1).
std::vector<std::vector<Index>> neighbours_of(const MatrixXd& features, Index k) {
  const MatrixXd h = unit(features).transpose();  // a sample a column
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
