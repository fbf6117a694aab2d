#include "torch/student.hpp"

#include <utility>

#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>

namespace stad::backbone {

Student::Student(const Tensors& weights, std::vector<std::size_t> trained)
    : weights_(copies(weights)), places_(std::move(trained)) {
  for (const std::size_t place : places_) trained_.push_back(weights_[place].requires_grad_(true));
}

Result<Tensors> Student::gradients(const at::Tensor& loss) const {
  if (const double value = loss.item<double>(); !std::isfinite(value))
    return failed(fmt::format("the loss is {}, must be finite", value));
  if (!loss.requires_grad()) return failed("the loss does not depend on what is trained");
  Tensors gradients = torch::autograd::grad({loss}, trained_, {}, c10::nullopt, false, /*allow_unused=*/true);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].defined()) gradients[i] = at::zeros_like(trained_[i]);
    if (!at::isfinite(gradients[i]).all().item<bool>()) return failed("a gradient is not finite");
  }
  return gradients;
}

void Student::set(const Tensors& values) {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < trained_.size(); ++i) trained_[i].copy_(values[i]);
}

Tensors copies(const Tensors& values) {
  Tensors result;
  for (const at::Tensor& value : values) result.push_back(value.defined() ? value.detach().clone() : value);
  return result;
}

void move_towards(const Tensors& average, const Tensors& values, double keep) {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < average.size(); ++i) average[i].mul_(keep).add_(values[i], 1 - keep);
}

}  // namespace stad::backbone
