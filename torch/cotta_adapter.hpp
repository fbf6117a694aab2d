#pragma once

#include "torch/network_adapter.hpp"
#include "torch/optimiser.hpp"
#include "torch/student.hpp"

namespace stad::backbone {

/// Continual test-time adaptation: a slow teacher, averaged over augmented views where the source model is unsure.
class CottaAdapter final : public NetworkMethod<CottaOptions> {
 public:
  CottaAdapter(Start start, const CottaOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  at::Tensor infer(const at::Tensor& images) const override;
  const Tensors& weights() const override { return teacher_.weights(); }
  Memory memory() const override;

  double source_confidence(const at::Tensor& images) const;
  at::Tensor mean_over_views(const at::Tensor& images, at::Generator generator) const;

  Student student_;
  Student teacher_;  ///< moved by hand, never by gradients
  Adam adam_;
};

/// Each value returns to the source's with the given chance.
void restore_some(const Tensors& values, const Tensors& source, double chance, at::Generator generator);

}  // namespace stad::backbone
