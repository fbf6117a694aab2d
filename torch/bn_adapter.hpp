#pragma once

#include "torch/network_adapter.hpp"

namespace stad::backbone {

/// Batch normalisation with statistics of the test batches instead of the training data.
class BnAdapter final : public NetworkMethod<BnOptions> {
 public:
  BnAdapter(SourceNetwork source_network, const BnOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  at::Tensor infer(const at::Tensor& images) const override;
  const Tensors& weights() const override { return network().weights(); }
  StateTensors state_tensors() const override;

  bool uses_batch_statistics_only() const { return options_.momentum == 1 && options_.source_share == 0; }

  NormStatistics average_;
};

}  // namespace stad::backbone
