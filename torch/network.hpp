#pragma once

#include <torch/csrc/jit/runtime/interpreter.h>

#include <stad/source_model.hpp>

#include "torch/graph.hpp"
#include "torch/normaliser.hpp"
#include "torch/state_tensors.hpp"

namespace stad::backbone {

struct NetworkOutputs {
  at::Tensor features;  ///< N x D
  at::Tensor logits;    ///< N x K
};

/// A network as a function of images, weights and batch norm statistics. Immutable; safe to share between threads.
class Network {
 public:
  explicit Network(NetworkGraph graph);

  NetworkOutputs run(const at::Tensor& images, const Tensors& weights, const NormaliserPointer& normaliser) const;
  /// The same on the calling thread only.
  NetworkOutputs run_single_threaded(const at::Tensor& images, const Tensors& weights,
                                     const NormaliserPointer& normaliser) const;

  const std::vector<std::string>& names() const { return graph_.names; }
  const Tensors& weights() const { return graph_.weights; }  ///< as trained
  const std::vector<NormLayer>& norms() const { return graph_.norms; }
  const std::string& head() const { return graph_.head; }
  std::size_t head_weight() const { return graph_.head_weight; }
  bool has_head_bias() const { return graph_.head_bias != kNoWeight; }
  std::size_t head_bias() const { return graph_.head_bias; }
  std::uint64_t fingerprint() const { return fingerprint_; }

  /// Indices of all parameters among the weights.
  std::vector<std::size_t> parameters() const;
  /// The same without the parameters of the head.
  std::vector<std::size_t> extractor_parameters() const;
  /// Indices of the scales and shifts of norm layers.
  std::vector<std::size_t> norm_parameters() const;
  /// The same without the last block. The last block is named by the shortest dotted prefix of the last norm layer's
  /// name that not all norm layers share. Returns all norm parameters if none remain.
  std::vector<std::size_t> norm_parameters_before_last_block() const;
  /// Statistics of the training data for each norm layer; undefined for layers that have no running statistics.
  NormStatistics source_statistics() const;
  Index count(NormKind kind) const;

 private:
  NetworkOutputs interpret(const at::Tensor& images, const Tensors& weights, const NormaliserPointer& normaliser) const;

  NetworkGraph graph_;
  torch::jit::Code code_;
  std::uint64_t fingerprint_ = 0;
};

/// Appends the statistics of every layer that has running statistics.
void append_tensors(StateTensors& tensors, const std::string& prefix, const std::vector<NormLayer>& norms,
                    const NormStatistics& statistics);

/// N x D: features of flat images under the source network. Images are processed in small chunks, so that activations
/// stay in the processor's caches, and threads divide the chunks instead of the operations, which avoids synchronising
/// after each operation. Images do not influence each other, so the result is bit-identical for any number of threads.
Matrix embed_images(const Network& network, MatrixView images, const ImageShape& shape);

}  // namespace stad::backbone
