#pragma once

#include "math/eigen.hpp"
#include "projection/layout.hpp"

namespace stad {

/// [tsne-gradient] of KL(P | Q) in the layout, with P multiplied by `exaggeration`.
Layout divergence_gradient(const DoubleRows& affinities, double exaggeration, const Layout& layout);

/// Gradient descent from the layout given, with momentum and gains, the affinities exaggerated at first; centred.
Layout descend(const DoubleRows& affinities, Layout layout, Index iterations);

}  // namespace stad
