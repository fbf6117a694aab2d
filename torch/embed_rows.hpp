#pragma once

#include "torch/network.hpp"

namespace stad::backbone {

/// N x D: the trained network's features of flat images. A few images at a time, so that what passes between layers
/// stays in the processor's caches, and the threads share out images, not the inside of a product: no thread waits for
/// another. Images do not see each other, so the bits are the same whatever the threads.
Matrix embed_rows(const Network& network, MatrixView images, const ImageShape& shape);

}  // namespace stad::backbone
