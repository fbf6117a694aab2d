#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <stad/adapter.hpp>

#include "data/option_list.hpp"
#include "torch/memory.hpp"
#include "torch/network.hpp"

namespace stad::backbone {

using NetworkPointer = std::shared_ptr<const Network>;

/// What an adapter of a network starts from.
struct Start {
  NetworkPointer network;
  SourceModel source;
  ImageShape shape;
};

/// The shell of every method that adapts a network: flat images in, logits to predictions, failures of torch to errors.
class NetworkAdapter : public Adapter {
 public:
  Index input_dimension() const override { return start_.shape.size(); }
  Matrix prototypes() const override { return to_rows(weights()[network().head_weight()]); }

 protected:
  explicit NetworkAdapter(Start start);

  const Network& network() const { return *start_.network; }
  const ImageShape& shape() const { return start_.shape; }
  /// Batches learned from before this one; with the method's seed it makes the batch's random numbers.
  Index steps() const { return steps_.item<Index>(); }
  at::Generator generator(Index seed) const;

  /// Forward without gradients.
  at::Tensor logits_of(const at::Tensor& images, const Tensors& weights, const NormaliserPointer& normaliser) const;

 private:
  /// Learns from the images and answers them.
  virtual Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) = 0;
  /// Answers without learning.
  virtual at::Tensor infer(const at::Tensor& images) const = 0;
  /// The weights in force.
  virtual const Tensors& weights() const = 0;
  /// Everything the method remembers, in place: a state is read into it.
  virtual Memory memory() const = 0;
  /// What a state from anywhere may break beyond types and shapes.
  virtual Status check_memory() const { return {}; }

  Status adapt_checked(const Batch& batch, Predictions& answer) final;
  Status predict_checked(const Batch& batch, Predictions& answer) const final;
  Result<Matrix> source_features(MatrixView images) const final;
  std::vector<Tensor> save() const final;
  Status load(const AdapterState& state) final;

  Status try_step(const Batch& batch, Predictions& answer);
  Memory whole_memory() const;

  Start start_;
  at::Tensor steps_;  ///< an integer, kept as everything remembered is
};

/// The part of a method that its options decide.
template <typename Options>
class NetworkMethod : public NetworkAdapter {
 public:
  std::string_view method() const final { return method_name(options_); }
  std::vector<OptionSetting> options() const final { return resolved_options(options_); }

 protected:
  NetworkMethod(Start start, const Options& options) : NetworkAdapter(std::move(start)), options_(options) {}

  const Options options_;
};

}  // namespace stad::backbone
