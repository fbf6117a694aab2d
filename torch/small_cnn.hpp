#pragma once

#include <string>

#include <stad/streams.hpp>

#include "torch/tensors.hpp"

namespace stad::backbone {

/// The network of the Yearbook experiments, untrained: four blocks of convolution (32 channels, 3 x 3), batch norm,
/// rectifier and pooling, the mean over what is left of the image, and a linear layer `fc`.
/// @returns a TorchScript file
std::string make_small_cnn(const ImageShape& shape, Index classes, at::Generator generator);

/// The file with other weights, by name.
std::string with_weights(const std::string& file, const std::vector<std::string>& names, const Tensors& weights);

inline constexpr Index kLeastSide = 16;  ///< four poolings halve it four times

}  // namespace stad::backbone
