#include "projection/layout.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "base/parallel.hpp"
#include "base/random.hpp"

namespace stad {
namespace {

constexpr double kInitialDeviation = 1e-4;
constexpr double kInitialNoise = 1e-6;

/// Principal components of rows with D < N, from the D x D scatter matrix.
Eigen::MatrixXd components_by_scatter(const DoubleRows& rows) {
  const Eigen::MatrixXd scatter = rows.transpose() * rows;
  return rows * Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scatter).eigenvectors();
}

/// Principal components of rows with D >= N, from the N x N Gram matrix, whose scaled eigenvectors they are.
Eigen::MatrixXd components_by_gram(const DoubleRows& rows) {
  const Eigen::MatrixXd products = rows * rows.transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(products);
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal();
}

/// Fixes the sign of an axis by its point of largest magnitude.
void orient(Eigen::Ref<Eigen::ArrayXd> column) {
  Index farthest = 0;
  column.abs().maxCoeff(&farthest);
  if (column[farthest] < 0) column = -column;
}

}  // namespace

Layout principal_layout(const DoubleRows& centred, std::uint64_t seed) {
  const Index n = centred.rows();
  const Eigen::MatrixXd ascending = centred.cols() < n ? components_by_scatter(centred) : components_by_gram(centred);
  Layout layout = Layout::Zero(n, 2);
  for (Index axis = 0; axis < std::min<Index>(2, ascending.cols()); ++axis) {
    layout.col(axis) = ascending.col(ascending.cols() - 1 - axis);
    orient(layout.col(axis));
  }
  const double deviation = std::sqrt(layout.col(0).square().mean());
  if (deviation > 0) layout *= kInitialDeviation / deviation;
  Random random(seed);
  for (double& x : layout.reshaped()) x += kInitialNoise * random.normal();
  return layout;
}

namespace {

using Eigen::ArrayXd;

constexpr Index kEarly = 250;         // iterations with exaggeration, in which clusters form
constexpr double kExaggeration = 12;  // factor of the affinities in early iterations
constexpr Index kPairCost = 16;       // multiplications a pair, a division among them

/// The sums of the gradient, before the common normaliser Z is known.
struct ForceSums {
  explicit ForceSums(Index points) : attraction(points, 2), repulsion(points, 2), mass(points) {}
  Layout attraction;  ///< sum_j p_ij w_ij (y_i - y_j)
  Layout repulsion;   ///< sum_j w_ij^2 (y_i - y_j)
  ArrayXd mass;       ///< sum_j w_ij
};

/// Computes the rows [first, first + length). Visits every pair twice: visiting it once would need sums per thread,
/// whose order would change the last bits.
void accumulate_forces(const DoubleRows& affinities, const Layout& layout, Index first, Index length,
                       ForceSums& forces) {
  const Index n = layout.rows();
  ArrayXd dx(n), dy(n), w(n), pull(n);
  for (Index i = first; i < first + length; ++i) {
    dx = layout(i, 0) - layout.col(0);
    dy = layout(i, 1) - layout.col(1);
    w = 1 / (1 + dx.square() + dy.square());
    w[i] = 0;
    pull = affinities.row(i).transpose().array() * w;
    forces.attraction(i, 0) = (pull * dx).sum();
    forces.attraction(i, 1) = (pull * dy).sum();
    forces.mass[i] = w.sum();
    w = w.square();
    forces.repulsion(i, 0) = (w * dx).sum();
    forces.repulsion(i, 1) = (w * dy).sum();
  }
}

double learning_rate(Index points) { return std::max(static_cast<double>(points) / kExaggeration / 4, 50.0); }

}  // namespace

Layout divergence_gradient(const DoubleRows& affinities, double exaggeration, const Layout& layout) {
  const Index n = layout.rows();
  ForceSums forces(n);
  parallel_for_runs(n, kPairCost * n,
                    [&](Index first, Index length) { accumulate_forces(affinities, layout, first, length, forces); });
  return 4 * (exaggeration * forces.attraction - forces.repulsion / forces.mass.sum());
}

Layout descend(const DoubleRows& affinities, Layout layout, Index iterations) {
  const double rate = learning_rate(layout.rows());
  Layout velocity = Layout::Zero(layout.rows(), 2), gains = Layout::Ones(layout.rows(), 2);
  for (Index iteration = 0; iteration < iterations; ++iteration) {
    const bool early = iteration < kEarly;
    const Layout slope = divergence_gradient(affinities, early ? kExaggeration : 1, layout);
    // Gains grow while a coordinate keeps its direction and shrink when it reverses.
    gains = (slope * velocity > 0).select(0.8 * gains, gains + 0.2).max(0.01);
    velocity = (early ? 0.5 : 0.8) * velocity - rate * gains * slope;
    layout += velocity;
    centre(layout);
  }
  return layout;
}

}  // namespace stad
