#pragma once

#include "torch/student_method.hpp"

namespace stad::backbone {

/// Sharpness-aware and reliable entropy minimisation.
class SarAdapter final : public StudentMethod<SarOptions, Sgd> {
 public:
  SarAdapter(Start start, const SarOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  Memory memory() const override;

  /// Which samples are reliable: their places.
  at::Tensor reliable(const at::Tensor& entropies) const;
  void follow_loss(double loss);
  void reset();

  at::Tensor moving_loss_;  ///< of the sharpness-aware loss; kNone before the first
};

/// Moves along the gradients to where the loss is worst within the radius: rho g / |g| over all of them together.
void climb(const Tensors& values, const Tensors& gradients, double radius);

}  // namespace stad::backbone
