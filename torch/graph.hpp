#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <stad/error.hpp>

#include "torch/tensors.hpp"

namespace torch::jit {
struct Graph;
}

namespace stad::backbone {

enum class NormKind { kBatch, kLayer, kGroup };

inline constexpr std::size_t kNoWeight = static_cast<std::size_t>(-1);

/// A norm layer, by the places of its tensors among the weights.
struct NormLayer {
  NormKind kind = NormKind::kBatch;
  std::string name;  ///< "layer3.2.bn1"
  std::size_t scale = kNoWeight;
  std::size_t shift = kNoWeight;
  std::size_t mean = kNoWeight;  ///< batch norms only
  std::size_t variance = kNoWeight;
};

/// A TorchScript module as a pure function: (images, normaliser, weights...) -> (features, logits). Every tensor it
/// keeps, parameter or buffer, became an argument, so that a student, a teacher and a perturbed copy are just other
/// lists of weights.
struct NetworkGraph {
  std::shared_ptr<torch::jit::Graph> function;
  std::shared_ptr<const void> module;  ///< it came from: when an operation fails, torch looks up its source there
  std::vector<std::string> names;      ///< of the weights: "layer3.2.bn1.weight"
  Tensors weights;                     ///< as trained
  std::vector<bool> is_parameter;      ///< else a buffer, which no optimiser touches
  std::vector<NormLayer> norms;        ///< in the order they run; batch norms are numbered in it
  std::string head;                    ///< the last linear layer's name
  std::size_t head_weight = 0;
  std::size_t head_bias = kNoWeight;
};

/// Reads a TorchScript file and rewrites it.
/// @param head the name of the last linear layer; empty: the last that runs
Result<NetworkGraph> read_graph(std::span<const std::byte> file, const std::string& head);

}  // namespace stad::backbone
