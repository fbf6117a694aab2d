#pragma once

#include <torch/csrc/jit/runtime/interpreter.h>

#include <stad/source_model.hpp>

#include "torch/graph.hpp"
#include "torch/memory.hpp"
#include "torch/normaliser.hpp"

namespace stad::backbone {

struct Outputs {
  at::Tensor features;  ///< N x D
  at::Tensor logits;    ///< N x K
};

/// A network as a function of images, weights and statistics. Immutable; safe to share between threads.
class Network {
 public:
  explicit Network(NetworkGraph graph);

  Outputs run(const at::Tensor& images, const Tensors& weights, const NormaliserPointer& normaliser) const;
  /// The same on the calling thread alone.
  Outputs run_alone(const at::Tensor& images, const Tensors& weights, const NormaliserPointer& normaliser) const;

  const std::vector<std::string>& names() const { return graph_.names; }
  const Tensors& weights() const { return graph_.weights; }  ///< as trained
  const std::vector<NormLayer>& norms() const { return graph_.norms; }
  const std::string& head() const { return graph_.head; }
  std::size_t head_weight() const { return graph_.head_weight; }
  bool has_head_bias() const { return graph_.head_bias != kNoWeight; }
  std::size_t head_bias() const { return graph_.head_bias; }
  std::uint64_t fingerprint() const { return fingerprint_; }

  /// Places of every parameter.
  std::vector<std::size_t> parameters() const;
  /// The same without the head's.
  std::vector<std::size_t> extractor_parameters() const;
  /// Scales and shifts of norm layers.
  std::vector<std::size_t> norm_parameters() const;
  /// The same without those of the last block: what shares the shortest beginning of the last norm layer's name that
  /// not all norm layers share. All of them where that leaves none.
  std::vector<std::size_t> norm_parameters_before_last_block() const;
  /// Of the training data, by norm layer; undefined where a layer is no batch norm or kept none.
  Statistics source_statistics() const;
  Index count(NormKind kind) const;

 private:
  Outputs interpret(const at::Tensor& images, const Tensors& weights, const NormaliserPointer& normaliser) const;

  NetworkGraph graph_;
  torch::jit::Code code_;
  std::uint64_t fingerprint_ = 0;
};

/// Adds the statistics of every layer that has some.
void remember(Memory& memory, const std::string& prefix, const std::vector<NormLayer>& norms,
              const Statistics& statistics);

}  // namespace stad::backbone
