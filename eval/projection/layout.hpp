#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "math/eigen.hpp"

namespace stad {

/// N x 2 coordinates, column-major, so that distances to all points are computed as vectors.
using Layout = Eigen::Array<double, Eigen::Dynamic, 2>;

/// Subtracts the mean.
inline void centre(Layout& layout) { layout.rowwise() -= layout.colwise().mean().eval(); }

/// Initial layout: the two principal components, scaled to standard deviation 1e-4 so that early gradients are large,
/// plus noise of a hundredth of that so that equal rows separate. This initialisation preserves the global arrangement,
/// which a random one loses (Kobak and Linderman 2021).
Layout principal_layout(const DoubleRows& centred, std::uint64_t seed);

/// [tsne-gradient] Gradient of KL(P | Q) with respect to the layout, with P multiplied by `exaggeration`.
Layout divergence_gradient(const DoubleRows& affinities, double exaggeration, const Layout& layout);

/// Gradient descent with momentum and adaptive gains; early iterations exaggerate the affinities. The result is
/// centred.
Layout descend(const DoubleRows& affinities, Layout layout, Index iterations);

}  // namespace stad
