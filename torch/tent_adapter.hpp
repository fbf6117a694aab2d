#pragma once

#include "torch/network_adapter.hpp"

namespace stad::backbone {

/// Test entropy minimisation (Wang et al., 2021).
class TentAdapter final : public GradientMethod<TentOptions, Adam> {
 public:
  TentAdapter(SourceNetwork source_network, const TentOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
};

}  // namespace stad::backbone
