#include "torch/optimiser.hpp"

#include <cmath>

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

void Sgd::remember(Memory& memory, const std::vector<std::string>& names) const {
  backbone::remember(memory, "velocity", names, velocity);
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
  const double count = steps.item<double>();
  const double first_share = 1 - std::pow(kFirst, count), second_share = 1 - std::pow(kSecond, count);
  for (std::size_t i = 0; i < trained.size(); ++i) {
    first[i].mul_(kFirst).add_(gradients[i], 1 - kFirst);
    second[i].mul_(kSecond).addcmul_(gradients[i], gradients[i], 1 - kSecond);
    trained[i].addcdiv_(first[i], (second[i] / second_share).sqrt_().add_(kSmall), -learning_rate / first_share);
  }
}

void Adam::remember(Memory& memory, const std::vector<std::string>& names) const {
  memory.push_back({"adam.steps", steps});
  backbone::remember(memory, "adam.first", names, first);
  backbone::remember(memory, "adam.second", names, second);
}

}  // namespace stad::backbone
