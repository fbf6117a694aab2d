#pragma once

#include "torch/network_adapter.hpp"
#include "torch/optimiser.hpp"
#include "torch/student.hpp"

namespace stad::backbone {

/// Test entropy minimisation.
class TentAdapter final : public NetworkMethod<TentOptions> {
 public:
  TentAdapter(Start start, const TentOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  at::Tensor infer(const at::Tensor& images) const override;
  const Tensors& weights() const override { return student_.weights(); }
  Memory memory() const override;

  Student student_;
  Adam adam_;
};

}  // namespace stad::backbone
