#pragma once

#include "torch/network_adapter.hpp"

namespace stad::backbone {

/// Sharpness-aware and reliable entropy minimisation (Niu et al., 2023).
class SarAdapter final : public GradientMethod<SarOptions, Sgd> {
 public:
  SarAdapter(SourceNetwork source_network, const SarOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  StateTensors state_tensors() const override;

  /// Indices of the reliable samples: those with low entropy.
  at::Tensor reliable(const at::Tensor& entropies) const;
  /// Updates the moving loss. Resets the model if it falls below options.reset_below, which indicates collapse to a
  /// constant prediction.
  void track_loss(double loss);
  void reset();

  at::Tensor moving_loss_;  ///< moving average of the sharpness-aware loss; kNoLoss before the first step
};

/// Adds radius g / |g|, with |g| the norm over all gradients together: the first-order worst case within the radius.
void perturb_along_gradient(const Tensors& values, const Tensors& gradients, double radius);

}  // namespace stad::backbone
