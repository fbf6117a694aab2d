#pragma once

#include "torch/network_adapter.hpp"
#include "torch/optimiser.hpp"
#include "torch/student.hpp"

namespace stad::backbone {

/// Source hypothesis transfer, the online form: the classifier stays, the extractor learns.
class ShotAdapter final : public NetworkMethod<ShotOptions> {
 public:
  ShotAdapter(Start start, const ShotOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  at::Tensor infer(const at::Tensor& images) const override;
  const Tensors& weights() const override { return student_.weights(); }
  Memory memory() const override;

  Student student_;
  Sgd sgd_;
};

}  // namespace stad::backbone
