#pragma once

#include <memory>
#include <string>

#include "torch/network_adapter.hpp"

// Networks small enough to compute by hand, as TorchScript files.

namespace stad::testing {

inline constexpr ImageShape kTinyImages{1, 6, 6};
inline constexpr Index kTinyClasses = 3;

/// Batch norm on the pixels of one channel, the mean of each row of pixels, a linear layer: 1 x 2 x 2 in, 2 classes.
std::string pixel_norm_net();

/// Convolution, batch norm, rectifier, convolution, batch norm, mean, linear layer `fc`.
std::string tiny_cnn();

/// A linear layer, layer norm, rectifier, `fc`: no batch norm, as in a transformer.
std::string layer_norm_net();

/// The same on the cubes of the pixels, which overflow for large pixels.
std::string cubing_net();

/// Convolution and group norm.
std::string group_norm_net();

/// tiny_cnn with its parameters made constants.
std::string frozen_net();

/// A convolution without a linear layer.
std::string headless_net();

/// A network whose forward method takes two arguments.
std::string two_argument_net();

backbone::NetworkPointer open_net(const std::string& file, const std::string& head = "");
backbone::SourceNetwork source_network_of(const std::string& file, const ImageShape& shape = kTinyImages);

/// N x (C H W) of smooth random pixels in [0, 1].
Matrix random_pixels(std::uint64_t seed, Index rows, const ImageShape& shape = kTinyImages);

}  // namespace stad::testing
