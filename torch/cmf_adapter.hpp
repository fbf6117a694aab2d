#pragma once

#include "torch/student_method.hpp"

namespace stad::backbone {

/// Continual momentum filtering: weighted self-training, then a Kalman filter on the parameters.
class CmfAdapter final : public StudentMethod<CmfOptions, Sgd> {
 public:
  CmfAdapter(Start start, const CmfOptions& options);

 private:
  Result<at::Tensor> learn(const at::Tensor& images, std::optional<double> time) override;
  at::Tensor infer(const at::Tensor& images) const override;
  Memory memory() const override;

  /// Certain, diverse samples and their augmented views should agree.
  at::Tensor loss_of(const at::Tensor& images, const at::Tensor& logits);
  /// Filters what the optimiser did.
  void filter();

  Tensors hidden_;              ///< like what is trained
  at::Tensor variance_;         ///< P
  at::Tensor mean_prediction_;  ///< K, moving
};

/// Where one step of the filter puts the uncertainty, and how much of the hidden parameters it keeps.
struct FilterGain {
  double keep = 1;      ///< beta
  double variance = 0;  ///< P after the step
};
FilterGain filter_gain(double variance, double alpha, double noise);

/// N: how much each sample counts. Zero for those less diverse than the mean.
at::Tensor sample_weights(const at::Tensor& logits, const at::Tensor& mean_prediction);

/// Logits times the smoothed mean prediction of the batch: the prior correction.
at::Tensor correct_prior(const at::Tensor& logits);

}  // namespace stad::backbone
