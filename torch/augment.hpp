#pragma once

#include "torch/tensors.hpp"

namespace stad::backbone {

/// A random view of images in [0, 1], N x C x H x W, one draw for all of them: brightness, contrast, saturation, hue
/// and gamma in random order, a small rotation, shift and zoom, a slight blur, perhaps a mirror image, a little noise.
at::Tensor augment(const at::Tensor& images, at::Generator generator);

}  // namespace stad::backbone
