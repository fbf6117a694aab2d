#pragma once

#include "torch/tensors.hpp"

namespace stad::backbone {

/// Random augmentation of images in [0, 1], N x C x H x W, with the same draw for all images: brightness, contrast,
/// saturation, hue and gamma in random order, then small rotation, translation and scaling, Gaussian blur, horizontal
/// flip with probability 1/2, and Gaussian noise. The transformations of CoTTA.
at::Tensor augment(const at::Tensor& images, at::Generator generator);

}  // namespace stad::backbone
