#pragma once

#include "math/eigen.hpp"

namespace stad {

/// N x N: |x_i - x_j|^2 computed from differences, so that equal rows have distance exactly zero.
DoubleRows squared_distances(const DoubleRows& points);

/// [tsne-conditional] N x N: row i is p_{j|i}, a Gaussian around i whose width gives the requested perplexity; zero on
/// the diagonal. If more points than the perplexity tie at the smallest distance, they share row i equally.
DoubleRows conditional_affinities(const DoubleRows& squared_distances, double perplexity);

/// [tsne-joint] N x N: symmetric with sum 1.
DoubleRows joint_affinities(const DoubleRows& conditional);

}  // namespace stad
