#pragma once

#include <string>
#include <vector>

#include "torch/memory.hpp"

namespace stad::backbone {

// Optimisers whose memory is plain tensors: an adapter saves and restores it with the rest of its state. Torch's own
// key theirs by address.

/// Stochastic gradient descent with momentum.
struct Sgd {
  double learning_rate = 0;
  double momentum = 0;
  Tensors velocity;  ///< like what is trained

  Sgd(const Tensors& trained, double learning_rate, double momentum);
  void step(const Tensors& trained, const Tensors& gradients);
  /// @param names of what is trained
  void remember(Memory& memory, const std::vector<std::string>& names) const;
};

/// Adam (Kingma and Ba, 2015) with its usual moments, 0.9 and 0.999.
struct Adam {
  double learning_rate = 0;
  at::Tensor steps;  ///< an integer
  Tensors first;     ///< moving mean of gradients
  Tensors second;    ///< and of their squares

  Adam(const Tensors& trained, double learning_rate);
  void step(const Tensors& trained, const Tensors& gradients);
  /// @param names of what is trained
  void remember(Memory& memory, const std::vector<std::string>& names) const;
};

Tensors zeros_like(const Tensors& values);

}  // namespace stad::backbone
