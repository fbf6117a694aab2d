#include "projection/descent.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace stad {
namespace {

using Eigen::ArrayXd;

constexpr Index kEarly = 250;         // iterations in which clusters form
constexpr double kExaggeration = 12;  // of the affinities in those
constexpr Index kPairCost = 16;       // multiplications a pair, a division among them

/// What a point feels, before the common normaliser Z is known.
struct Forces {
  explicit Forces(Index points) : attraction(points, 2), repulsion(points, 2), mass(points) {}
  Layout attraction;  ///< sum_j p_ij w_ij (y_i - y_j)
  Layout repulsion;   ///< sum_j w_ij^2 (y_i - y_j)
  ArrayXd mass;       ///< sum_j w_ij
};

/// The rows [first, first + length). Every pair is visited from both ends: half the pairs would need a sum for each
/// thread, and the order of those sums would show in the bits.
void feel(const DoubleRows& affinities, const Layout& layout, Index first, Index length, Forces& forces) {
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
  Forces forces(n);
  parallel_for_runs(n, kPairCost * n,
                    [&](Index first, Index length) { feel(affinities, layout, first, length, forces); });
  return 4 * (exaggeration * forces.attraction - forces.repulsion / forces.mass.sum());
}

Layout descend(const DoubleRows& affinities, Layout layout, Index iterations) {
  const double rate = learning_rate(layout.rows());
  Layout velocity = Layout::Zero(layout.rows(), 2), gains = Layout::Ones(layout.rows(), 2);
  for (Index iteration = 0; iteration < iterations; ++iteration) {
    const bool early = iteration < kEarly;
    const Layout slope = divergence_gradient(affinities, early ? kExaggeration : 1, layout);
    // A coordinate that keeps its direction goes faster, one that turns back slower.
    gains = (slope * velocity > 0).select(0.8 * gains, gains + 0.2).max(0.01);
    velocity = (early ? 0.5 : 0.8) * velocity - rate * gains * slope;
    layout += velocity;
    centre(layout);
  }
  return layout;
}

}  // namespace stad
