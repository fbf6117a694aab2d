#include "torch/optimisation.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>

namespace stad::backbone {

Tensors zeros_like(const Tensors& values) {
  Tensors zeros;
  for (const at::Tensor& value : values) zeros.push_back(at::zeros_like(value.detach()));
  return zeros;
}

Sgd::Sgd(const Tensors& trained, double learning_rate_, double momentum_)
    : learning_rate(learning_rate_), momentum(momentum_), velocity(zeros_like(trained)) {}

void Sgd::step(const Tensors& trained, const Tensors& gradients) {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < trained.size(); ++i) {
    velocity[i].mul_(momentum).add_(gradients[i]);
    trained[i].add_(velocity[i], -learning_rate);
  }
}

void Sgd::append_state(StateTensors& tensors, const std::vector<std::string>& names) const {
  append_tensors(tensors, "velocity", names, velocity);
}

Adam::Adam(const Tensors& trained, double learning_rate_)
    : learning_rate(learning_rate_),
      steps(at::zeros({}, at::kLong)),
      first(zeros_like(trained)),
      second(zeros_like(trained)) {}

void Adam::step(const Tensors& trained, const Tensors& gradients) {
  constexpr double kFirst = 0.9, kSecond = 0.999, kSmall = 1e-8;
  const at::NoGradGuard no_grad;
  steps += 1;
  const auto count = steps.item<double>();
  const double first_share = 1 - std::pow(kFirst, count), second_share = 1 - std::pow(kSecond, count);
  for (std::size_t i = 0; i < trained.size(); ++i) {
    first[i].mul_(kFirst).add_(gradients[i], 1 - kFirst);
    second[i].mul_(kSecond).addcmul_(gradients[i], gradients[i], 1 - kSecond);
    trained[i].addcdiv_(first[i], (second[i] / second_share).sqrt_().add_(kSmall), -learning_rate / first_share);
  }
}

void Adam::append_state(StateTensors& tensors, const std::vector<std::string>& names) const {
  tensors.push_back({"adam.steps", steps});
  append_tensors(tensors, "adam.first", names, first);
  append_tensors(tensors, "adam.second", names, second);
}

TrainableWeights::TrainableWeights(const Tensors& weights, std::vector<std::size_t> trained)
    : weights_(clones(weights)), indices_(std::move(trained)) {
  for (const std::size_t index : indices_) trained_.push_back(weights_[index].requires_grad_(true));
}

Result<Tensors> TrainableWeights::gradients(const at::Tensor& loss) const {
  if (const auto value = loss.item<double>(); !std::isfinite(value))
    return failed(fmt::format("the loss is {}, must be finite", value));
  if (!loss.requires_grad()) return failed("the loss does not depend on what is trained");
  Tensors gradients = torch::autograd::grad({loss}, trained_, {}, c10::nullopt, false, /*allow_unused=*/true);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].defined()) gradients[i] = at::zeros_like(trained_[i]);
    if (!at::isfinite(gradients[i]).all().item<bool>()) return failed("a gradient is not finite");
  }
  return gradients;
}

void TrainableWeights::set(const Tensors& values) {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < trained_.size(); ++i) trained_[i].copy_(values[i]);
}

Tensors clones(const Tensors& values) {
  Tensors result;
  for (const at::Tensor& value : values) result.push_back(value.defined() ? value.detach().clone() : value);
  return result;
}

void update_moving_average(const Tensors& average, const Tensors& values, double keep) {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < average.size(); ++i) average[i].mul_(keep).add_(values[i], 1 - keep);
}

at::Tensor entropy(const at::Tensor& logits) { return -(logits.softmax(1) * logits.log_softmax(1)).sum(1); }

at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& target) {
  return -(target.detach().softmax(1) * logits.log_softmax(1)).sum(1);
}

at::Tensor information_loss(const at::Tensor& logits, double beta, double confidence) {
  const at::Tensor mean = logits.softmax(1).mean(0);
  at::Tensor loss = entropy(logits).mean() + (mean * mean.clamp_min(1e-30).log()).sum();
  const auto [surest, labels] = logits.detach().softmax(1).max(1);
  const at::Tensor confident = (surest > confidence).nonzero().squeeze(1);
  if (confident.numel() > 0)
    loss =
        loss + beta * at::nll_loss(logits.log_softmax(1).index_select(0, confident), labels.index_select(0, confident));
  return loss;
}

at::Tensor soft_likelihood_ratio(const at::Tensor& logits) {
  constexpr double kCertain = 0.99, kSmall = 1e-5;
  const at::Tensor p = logits.softmax(1).clamp(0, kCertain);
  return -(p * (p / (1 - p) + kSmall).log()).sum(1);
}

at::Tensor symmetric_cross_entropy(const at::Tensor& logits, const at::Tensor& other) {
  return -0.5 * (other.softmax(1) * logits.log_softmax(1)).sum(1) -
         0.5 * (logits.softmax(1) * other.log_softmax(1)).sum(1);
}

}  // namespace stad::backbone
