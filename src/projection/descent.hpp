#pragma once

#include "math/eigen.hpp"
#include "projection/layout.hpp"

namespace stad {

/// [tsne-gradient] of KL(P | Q) in the layout, with P multiplied by `exaggeration`.
Layout divergence_gradient(const DoubleRows& affinities, double exaggeration, const Layout& layout);

/// Gradient descent with momentum and gains, the affinities exaggerated at first; centred.
Layout descend(const DoubleRows& affinities, Layout start, Index iterations);

}  // namespace stad
