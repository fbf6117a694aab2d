#pragma once

#include <string>

#include <stad/streams.hpp>

#include "torch/tensors.hpp"

namespace stad::backbone {

/// The network of the Yearbook experiments, untrained: four blocks of convolution (32 channels, 3 x 3), batch norm,
/// ReLU and 2 x 2 max pooling, then global average pooling and a linear layer `fc`.
/// @returns a TorchScript file
std::string make_small_cnn(const ImageShape& shape, Index classes, const at::Generator& generator);

/// The TorchScript file with its weights replaced by name.
std::string with_weights(const std::string& file, const std::vector<std::string>& names, const Tensors& weights);

inline constexpr Index kMinSide = 16;  ///< smallest height and width: pooling halves them four times

}  // namespace stad::backbone
