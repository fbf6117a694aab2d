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

/// A norm layer: indices of its tensors among the weights.
struct NormLayer {
  NormKind kind = NormKind::kBatch;
  std::string name;  ///< "layer3.2.bn1"
  std::size_t scale = kNoWeight;
  std::size_t shift = kNoWeight;
  std::size_t mean = kNoWeight;  ///< batch norms only
  std::size_t variance = kNoWeight;
};

/// A TorchScript module as a pure function: (images, normaliser, weights...) -> (features, logits). Every parameter and
/// buffer is an argument, so that a student, a teacher and a perturbed copy differ only in their lists of weights.
struct NetworkGraph {
  std::shared_ptr<torch::jit::Graph> function;
  std::shared_ptr<const void> module;  ///< kept alive: torch reads source locations from it when an operation fails
  std::vector<std::string> names;      ///< of the weights, such as "layer3.2.bn1.weight"
  Tensors weights;                     ///< as trained
  std::vector<bool> is_parameter;      ///< otherwise a buffer, which optimisers do not change
  std::vector<NormLayer> norms;        ///< in execution order; BatchNormCall::layer is an index of it
  std::string head;                    ///< name of the last linear layer
  std::size_t head_weight = 0;
  std::size_t head_bias = kNoWeight;
};

/// Loads a TorchScript file and rewrites it.
/// @param head name of the last linear layer; if empty, the one that is executed last
Result<NetworkGraph> read_graph(std::span<const std::byte> file, const std::string& head);

}  // namespace stad::backbone
