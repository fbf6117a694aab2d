#pragma once

#include "math/eigen.hpp"

namespace stad {

/// N x N: |x_i - x_j|^2 by differences, so that equal rows are at distance zero exactly.
DoubleRows squared_distances(const DoubleRows& points);

/// [tsne-conditional] N x N: row i is p_{j|i}, a Gaussian around i whose width gives it the perplexity asked for; zero
/// on the diagonal. More points at the least distance than the perplexity share row i equally.
DoubleRows conditional_affinities(const DoubleRows& squared_distances, double perplexity);

/// [tsne-joint] N x N: symmetric, sums to 1.
DoubleRows joint_affinities(const DoubleRows& conditional);

}  // namespace stad
