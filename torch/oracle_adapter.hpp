#pragma once

#include <map>

#include "torch/network_adapter.hpp"
#include "torch/optimiser.hpp"
#include "torch/student.hpp"

namespace stad::backbone {

/// Fine-tuning with labels: what the others are short of.
class OracleAdapter final : public NetworkMethod<OracleOptions> {
 public:
  /// @param labelled has labels of the network's classes; without times it is one step
  OracleAdapter(Start start, const OracleOptions& options, const FeatureStream& labelled);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  at::Tensor infer(const at::Tensor& images) const override;
  const Tensors& weights() const override { return student_.weights(); }
  Memory memory() const override;

  /// One epoch over the labelled rows of a time stamp.
  Status tune(const std::vector<Index>& rows);

  FeatureStream labelled_;
  std::map<double, std::vector<Index>> steps_;
  Student student_;
  Adam adam_;
  at::Tensor tuned_;  ///< how many time stamps were learned from
  at::Tensor time_;   ///< of the last
};

}  // namespace stad::backbone
