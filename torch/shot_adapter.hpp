#pragma once

#include "torch/network_adapter.hpp"

namespace stad::backbone {

/// Source hypothesis transfer (Liang et al., 2020), online: trains the feature extractor and keeps the classifier.
class ShotAdapter final : public GradientMethod<ShotOptions, Sgd> {
 public:
  ShotAdapter(SourceNetwork source_network, const ShotOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
};

}  // namespace stad::backbone
