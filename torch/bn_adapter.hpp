#pragma once

#include "torch/network_adapter.hpp"

namespace stad::backbone {

/// Batch normalisation with the statistics of what arrives.
class BnAdapter final : public NetworkMethod<BnOptions> {
 public:
  BnAdapter(Start start, const BnOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  at::Tensor infer(const at::Tensor& images) const override;
  const Tensors& weights() const override { return network().weights(); }
  Memory memory() const override;

  bool uses_the_batch_alone() const { return options_.momentum == 1 && options_.source_share == 0; }

  Statistics average_;
};

}  // namespace stad::backbone
