#pragma once

#include "torch/network_adapter.hpp"

namespace stad::backbone {

/// Continual momentum filtering: weighted self-training, then a Kalman filter on the parameters.
class CmfAdapter final : public GradientMethod<CmfOptions, Sgd> {
 public:
  CmfAdapter(SourceNetwork source_network, const CmfOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  at::Tensor infer(const at::Tensor& images) const override;
  StateTensors state_tensors() const override;

  /// Self-training loss over confident, diverse samples and their augmented views.
  at::Tensor loss_of(const at::Tensor& images, const at::Tensor& logits);
  /// One Kalman step on the trained parameters.
  void filter();

  Tensors hidden_;              ///< hidden parameters, of the shapes of the trained ones
  at::Tensor variance_;         ///< P
  at::Tensor mean_prediction_;  ///< K, moving average
};

/// One step of the filter: weight of the hidden parameters and their variance after the step.
struct FilterGain {
  double keep = 1;      ///< beta
  double variance = 0;  ///< P after the step
};
FilterGain filter_gain(double variance, double alpha, double noise);

/// N: weight of each sample; zero for samples whose diversity is below the mean.
at::Tensor sample_weights(const at::Tensor& logits, const at::Tensor& mean_prediction);

/// Prior correction: logits times the smoothed mean prediction of the batch.
at::Tensor correct_prior(const at::Tensor& logits);

}  // namespace stad::backbone
