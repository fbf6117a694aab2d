#pragma once

#include <cstdint>

#include <torch/custom_class.h>

#include "torch/tensors.hpp"

namespace stad::backbone {

/// A batch norm layer about to normalise.
struct BatchNormCall {
  std::int64_t layer = 0;  ///< its number in the network
  at::Tensor input;        ///< N x C x ...
  at::Tensor scale;        ///< C, or undefined
  at::Tensor shift;        ///< C, or undefined
  at::Tensor mean;         ///< C, of the source; undefined where the layer never kept any
  at::Tensor variance;
  double epsilon = 0;
};

/// Which statistics batch norm layers use. A network's batch norms are rewritten to ask the normaliser they run under,
/// so that one network serves every method, whether it was scripted or traced.
class Normaliser : public torch::CustomClassHolder {
 public:
  virtual at::Tensor normalise(const BatchNormCall& call) = 0;
};
using NormaliserPointer = c10::intrusive_ptr<Normaliser>;

/// Those of the training data: the network as it was trained.
NormaliserPointer source_statistics();

/// Those of the batch itself, biased variance.
NormaliserPointer batch_statistics();

/// Those of the batch, kept in the weights as a moving average the way training does.
NormaliserPointer training_statistics();

/// Mean and variance of every batch norm layer, in the order of the network.
struct Statistics {
  Tensors means;
  Tensors variances;
};

/// A moving average over batches, blended with the source's statistics. Gradients reach the batch's part.
class MovingStatistics final : public Normaliser {
 public:
  /// @param average where it starts, in the weights' precision; read by layer
  MovingStatistics(Statistics average, double momentum, double source_share, bool learns);

  at::Tensor normalise(const BatchNormCall& call) override;

  /// With what was learned from the batches since.
  const Statistics& average() const { return average_; }

 private:
  Statistics average_;
  double momentum_;
  double source_share_;
  bool learns_;
};

}  // namespace stad::backbone
