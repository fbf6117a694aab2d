#pragma once

#include <map>

#include "torch/network_adapter.hpp"
#include "torch/optimisation.hpp"

namespace stad::backbone {

/// Fine-tuning with labels of the stream: an upper reference for methods without labels.
class OracleAdapter final : public NetworkMethod<OracleOptions> {
 public:
  /// @param labelled stream with labels of the network's classes; without time stamps it counts as one step
  OracleAdapter(SourceNetwork source_network, const OracleOptions& options, FeatureStream labelled);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  at::Tensor infer(const at::Tensor& images) const override;
  const Tensors& weights() const override { return student_.weights(); }
  StateTensors state_tensors() const override;

  /// Trains one epoch on the given rows.
  Status tune(const std::vector<Index>& rows);

  FeatureStream labelled_;
  std::map<double, std::vector<Index>> steps_;
  TrainableWeights student_;
  Adam adam_;
  at::Tensor tuned_;  ///< number of time stamps trained on
  at::Tensor time_;   ///< the last time stamp trained on
};

}  // namespace stad::backbone
