#pragma once

#include <cstdint>

#include <torch/custom_class.h>

#include "torch/tensors.hpp"

namespace stad::backbone {

/// Arguments of one batch norm layer in a forward pass.
struct BatchNormCall {
  std::int64_t layer = 0;  ///< index among the network's norm layers
  at::Tensor input;        ///< N x C x ...
  at::Tensor scale;        ///< C, or undefined
  at::Tensor shift;        ///< C, or undefined
  at::Tensor mean;         ///< C, of the training data; undefined if the layer has no running statistics
  at::Tensor variance;
  double epsilon = 0;
};

/// Decides which statistics batch norm layers use. A network's batch norms are rewritten to call the normaliser of the
/// forward pass, so that one network serves every method, whether it was scripted or traced.
class Normaliser : public torch::CustomClassHolder {
 public:
  virtual at::Tensor normalise(const BatchNormCall& call) = 0;
};
using NormaliserPointer = c10::intrusive_ptr<Normaliser>;

/// Statistics of the training data: the network as trained.
NormaliserPointer source_statistics();

/// Statistics of the batch itself, with biased variance.
NormaliserPointer batch_statistics();

/// Statistics of the batch; also updates the running statistics among the weights, as training does.
NormaliserPointer training_statistics();

/// Mean and variance of every batch norm layer, in the order of the network.
struct NormStatistics {
  Tensors means;
  Tensors variances;
};

/// A moving average over batches, blended with the statistics of the training data. Gradients flow through the
/// statistics of the current batch.
class MovingStatistics final : public Normaliser {
 public:
  /// @param average initial statistics, in the precision of the weights, one for each norm layer
  /// @param momentum weight of the current batch
  /// @param source_share weight of the training data's statistics
  /// @param updates whether the current batch enters the average
  MovingStatistics(NormStatistics average, double momentum, double source_share, bool updates);

  at::Tensor normalise(const BatchNormCall& call) override;

  /// The average including the batches normalised since construction.
  const NormStatistics& average() const { return average_; }

 private:
  NormStatistics average_;
  double momentum_;
  double source_share_;
  bool updates_;
};

}  // namespace stad::backbone
