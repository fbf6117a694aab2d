#pragma once

#include "torch/network_adapter.hpp"
#include "torch/optimisation.hpp"

namespace stad::backbone {

/// Continual test-time adaptation (Wang et al., 2022): the student learns from a moving-average teacher, whose
/// predictions are averaged over augmented views if the source model's confidence is low.
class CottaAdapter final : public NetworkMethod<CottaOptions> {
 public:
  CottaAdapter(SourceNetwork source_network, const CottaOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  at::Tensor infer(const at::Tensor& images) const override;
  const Tensors& weights() const override { return teacher_.weights(); }
  StateTensors state_tensors() const override;

  double source_confidence(const at::Tensor& images) const;
  at::Tensor mean_over_views(const at::Tensor& images, const at::Generator& generator) const;

  TrainableWeights student_;
  TrainableWeights teacher_;  ///< moving average of the student; receives no gradients
  Adam adam_;
};

/// Resets each value to that of the source with the given probability.
void stochastic_restore(const Tensors& values, const Tensors& source, double probability,
                        const at::Generator& generator);

}  // namespace stad::backbone
