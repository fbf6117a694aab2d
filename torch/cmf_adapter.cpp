#include "torch/cmf_adapter.hpp"

#include <algorithm>

#include "base/try.hpp"
#include "torch/augment.hpp"
#include "torch/optimisation.hpp"

namespace stad::backbone {
namespace {

constexpr double kMinKeep = 0.89;         ///< lower bound of beta
constexpr double kTemperature = 1.0 / 3;  ///< of the sample weights
constexpr double kKeepPrediction = 0.9;   ///< momentum of the mean prediction

/// Scaled to [0, 1]; ones if all scores are equal.
at::Tensor min_max_scaled(const at::Tensor& scores) {
  const at::Tensor range = scores.max() - scores.min();
  if (range.item<double>() <= 0) return at::ones_like(scores);
  return (scores - scores.min()) / range;
}

/// Process noise for this number of trained values; the published value is for a network with 38,400.
double scaled_noise(double noise, const Tensors& trained) {
  constexpr double kPublishedParameters = 38400;
  double count = 0;
  for (const at::Tensor& values : trained) count += static_cast<double>(values.numel());
  return std::min(noise * count / kPublishedParameters, 1.0);
}

}  // namespace

CmfAdapter::CmfAdapter(SourceNetwork source_network, const CmfOptions& options)
    : GradientMethod(std::move(source_network), options, &Network::norm_parameters, options.learning_rate,
                     options.momentum),
      hidden_(clones(student_.trained())),
      variance_(at::zeros({}, at::kDouble)),
      mean_prediction_(at::full({source().classes()}, 1.0 / static_cast<double>(source().classes()), at::kFloat)) {}

Result<at::Tensor> CmfAdapter::learn(const at::Tensor& images, std::optional<double>) {
  const at::Tensor logits = student_logits(images);
  const at::Tensor loss = loss_of(images, logits);
  if (loss.requires_grad()) {
    STAD_ASSIGN(const Tensors gradients, student_.gradients(loss));
    optimiser_.step(student_.trained(), gradients);
  }
  filter();
  return correct_prior(logits.detach());
}

at::Tensor CmfAdapter::loss_of(const at::Tensor& images, const at::Tensor& logits) {
  const at::Tensor weights = sample_weights(logits.detach(), mean_prediction_);
  mean_prediction_.mul_(kKeepPrediction).add_(logits.detach().softmax(1).mean(0), 1 - kKeepPrediction);
  const at::Tensor kept = weights.nonzero().squeeze(1);
  const auto samples = static_cast<double>(images.size(0));
  if (kept.numel() == 0) return at::zeros({});
  const at::Tensor own = logits.index_select(0, kept), counts = weights.index_select(0, kept);
  const at::Tensor view = augment(images.index_select(0, kept), generator(options_.seed));
  const at::Tensor view_logits = student_logits(view);
  return ((soft_likelihood_ratio(own) + symmetric_cross_entropy(view_logits, own)) * counts).sum() / samples;
}

void CmfAdapter::filter() {
  const at::NoGradGuard no_grad;
  update_moving_average(hidden_, student_.select_trained(network().weights()), options_.alpha);
  const auto [keep, variance] =
      filter_gain(variance_.item<double>(), options_.alpha, scaled_noise(options_.process_noise, student_.trained()));
  update_moving_average(hidden_, student_.trained(), keep);
  variance_.fill_(variance);
  update_moving_average(student_.trained(), hidden_, options_.gamma);
}

at::Tensor CmfAdapter::infer(const at::Tensor& images) const { return correct_prior(GradientMethod::infer(images)); }

StateTensors CmfAdapter::state_tensors() const {
  StateTensors tensors = GradientMethod::state_tensors();
  tensors.push_back({"variance", variance_});
  tensors.push_back({"mean_prediction", mean_prediction_});
  append_tensors(tensors, "hidden", student_.select_trained(network().names()), hidden_);
  return tensors;
}

FilterGain filter_gain(double variance, double alpha, double noise) {
  const double predicted = alpha * alpha * variance + noise;
  const double keep = std::clamp((1 - noise) / (predicted + 1 - noise), kMinKeep, 1.0);
  return {keep, keep * predicted};
}

at::Tensor sample_weights(const at::Tensor& logits, const at::Tensor& mean_prediction) {
  const at::Tensor predictions = logits.softmax(1);
  const at::Tensor diversity =
      min_max_scaled(1 - at::cosine_similarity(predictions, mean_prediction.to(logits.dtype()).unsqueeze(0), 1));
  const at::Tensor certainty = min_max_scaled(-entropy(logits));
  const at::Tensor weights = (diversity * certainty / kTemperature).exp();
  return at::where(diversity < diversity.mean(), at::zeros_like(weights), weights);
}

at::Tensor correct_prior(const at::Tensor& logits) {
  const at::Tensor prior = logits.softmax(1).mean(0);
  const auto rows = static_cast<double>(logits.size(0)), classes = static_cast<double>(logits.size(1));
  const at::Tensor smooth = std::max(1 / rows, 1 / classes) / prior.max();
  return logits * ((prior + smooth) / (1 + smooth * classes));
}

}  // namespace stad::backbone
