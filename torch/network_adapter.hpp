#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <stad/adapter.hpp>

#include "data/option_list.hpp"
#include "torch/network.hpp"
#include "torch/optimisation.hpp"
#include "torch/state_tensors.hpp"

namespace stad::backbone {

using NetworkPointer = std::shared_ptr<const Network>;

/// The network before adaptation: its weights, its last layer as a source model, and the shape of its images.
struct SourceNetwork {
  NetworkPointer network;
  SourceModel source;
  ImageShape shape;
};

/// Base of the methods that adapt a network. Converts rows to images, logits to predictions and exceptions of torch to
/// errors. A step that fails leaves the state unchanged.
class NetworkAdapter : public Adapter {
 public:
  Index input_dimension() const override { return source_network_.shape.size(); }
  Matrix prototypes() const override { return to_rows(weights()[network().head_weight()]); }

 protected:
  explicit NetworkAdapter(SourceNetwork source_network);

  const Network& network() const { return *source_network_.network; }
  const ImageShape& shape() const { return source_network_.shape; }
  /// Number of batches adapted to so far.
  Index steps() const { return steps_.item<Index>(); }
  /// Random numbers of this step, a function of the seed and steps(): a restored adapter draws the same ones.
  at::Generator generator(Index seed) const;

  /// Forward pass without gradients.
  at::Tensor logits_of(const at::Tensor& images, const Tensors& weights, const NormaliserPointer& normaliser) const;

 private:
  /// Adapts to the images and returns their logits.
  virtual Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) = 0;
  /// Returns the logits of the images without adapting.
  virtual at::Tensor infer(const at::Tensor& images) const = 0;
  /// The weights that infer() uses.
  virtual const Tensors& weights() const = 0;
  /// The method's state. The tensors share storage with the method; restoring a state writes into them.
  virtual StateTensors state_tensors() const = 0;
  /// Checks a restored state beyond types, shapes and magnitudes.
  virtual Status check_state_tensors() const { return {}; }

  Status adapt_checked(const Batch& batch, Predictions& answer) final;
  Status predict_checked(const Batch& batch, Predictions& answer) const final;
  Result<Matrix> source_features(MatrixView images) const final;
  std::vector<Tensor> save() const final;
  Status load(const AdapterState& state) final;

  Status try_step(const Batch& batch, Predictions& answer);
  StateTensors all_state_tensors() const;

  SourceNetwork source_network_;
  at::Tensor steps_;  ///< scalar int64; a tensor, so that it is saved like the rest of the state
};

/// A network method with its options.
template <typename Options>
class NetworkMethod : public NetworkAdapter {
 public:
  std::string_view method() const final { return method_name(options_); }
  std::vector<OptionSetting> options() const final { return resolved_options(options_); }

 protected:
  NetworkMethod(SourceNetwork source_network, const Options& options)
      : NetworkAdapter(std::move(source_network)), options_(options) {}

  const Options options_;
};

/// A method that trains one copy of the weights under batch statistics with one optimiser.
template <typename Options, typename Optimiser>
class GradientMethod : public NetworkMethod<Options> {
 protected:
  /// @param trained selects the weights to train
  /// @param rates further arguments of the optimiser
  template <typename... Rates>
  GradientMethod(SourceNetwork source_network, const Options& options,
                 std::vector<std::size_t> (Network::*trained)() const, Rates... rates)
      : NetworkMethod<Options>(std::move(source_network), options),
        student_(this->network().weights(), (this->network().*trained)()),
        optimiser_(student_.trained(), rates...) {}

  /// Forward pass with gradients.
  at::Tensor student_logits(const at::Tensor& images) const {
    return this->network().run(images, student_.weights(), batch_statistics()).logits;
  }

  at::Tensor infer(const at::Tensor& images) const override {
    return this->logits_of(images, student_.weights(), batch_statistics());
  }

  StateTensors state_tensors() const override {
    const auto names = student_.select_trained(this->network().names());
    StateTensors tensors;
    append_tensors(tensors, "student", names, student_.trained());
    optimiser_.append_state(tensors, names);
    return tensors;
  }

  TrainableWeights student_;
  Optimiser optimiser_;

 private:
  const Tensors& weights() const final { return student_.weights(); }
};

}  // namespace stad::backbone
