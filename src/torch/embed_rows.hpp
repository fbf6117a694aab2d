#pragma once

#include "torch/network.hpp"

namespace stad::backbone {

/// N x D: the trained network's features of flat images. A few images at a time, so that what passes between layers
/// stays in the processor's caches; their features do not depend on each other.
Matrix embed_rows(const Network& network, MatrixView images, const ImageShape& shape);

}  // namespace stad::backbone
