#include "projection/principal_layout.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "base/random.hpp"

namespace stad {
namespace {

constexpr double kSize = 1e-4;
constexpr double kShake = 1e-6;

/// Of rows with D < N: D x D is decomposed and the rows are turned.
Eigen::MatrixXd turned(const DoubleRows& rows) {
  const Eigen::MatrixXd scatter = rows.transpose() * rows;
  return rows * Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scatter).eigenvectors();
}

/// Of rows with D >= N: N x N is decomposed, whose eigenvectors are the coordinates themselves but for their length.
Eigen::MatrixXd stretched(const DoubleRows& rows) {
  const Eigen::MatrixXd products = rows * rows.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(products);
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
}

/// An axis has no sign of its own: the farthest point decides.
void orient(Eigen::Ref<Eigen::ArrayXd> column) {
  Index farthest = 0;
  column.abs().maxCoeff(&farthest);
  if (column[farthest] < 0) column = -column;
}

}  // namespace

Layout principal_layout(const DoubleRows& centred, std::uint64_t seed) {
  const Index n = centred.rows();
  const Eigen::MatrixXd ascending = centred.cols() < n ? turned(centred) : stretched(centred);
  Layout layout = Layout::Zero(n, 2);
  for (Index axis = 0; axis < std::min<Index>(2, ascending.cols()); ++axis) {
    layout.col(axis) = ascending.col(ascending.cols() - 1 - axis);
    orient(layout.col(axis));
  }
  const double deviation = std::sqrt(layout.col(0).square().mean());
  if (deviation > 0) layout *= kSize / deviation;
  Random random(seed);
  for (double& x : layout.reshaped()) x += kShake * random.normal();
  return layout;
}

}  // namespace stad
