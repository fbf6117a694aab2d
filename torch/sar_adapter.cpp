#include "torch/sar_adapter.hpp"

#include <cmath>

#include "base/try.hpp"
#include "torch/losses.hpp"

namespace stad::backbone {
namespace {

constexpr double kNone = -1;  ///< losses are not negative
constexpr double kKeep = 0.9;

}  // namespace

SarAdapter::SarAdapter(Start start, const SarOptions& options)
    : StudentMethod(std::move(start), options, &Network::norm_parameters_before_last_block, options.learning_rate,
                    options.momentum),
      moving_loss_(at::full({}, kNone, at::kDouble)) {}

Result<at::Tensor> SarAdapter::learn(const at::Tensor& images, std::optional<double>) {
  const at::Tensor logits = student_logits(images);
  const at::Tensor entropies = entropy(logits);
  const at::Tensor first = reliable(entropies);
  if (first.numel() == 0) return logits;
  STAD_ASSIGN(const Tensors uphill, student_.gradients(entropies.index_select(0, first).mean()));

  const Tensors here = copies(student_.trained());
  climb(student_.trained(), uphill, options_.rho);
  const at::Tensor climbed = entropy(student_logits(images)).index_select(0, first);
  const at::Tensor second = reliable(climbed);
  if (second.numel() == 0) {
    student_.set(here);
    return logits;
  }
  const at::Tensor loss = climbed.index_select(0, second).mean();
  STAD_ASSIGN(const Tensors gradients, student_.gradients(loss));
  student_.set(here);
  optimiser_.step(student_.trained(), gradients);
  follow_loss(loss.item<double>());
  return logits;
}

at::Tensor SarAdapter::reliable(const at::Tensor& entropies) const {
  const double most = options_.reliable * std::log(static_cast<double>(source().classes()));
  return (entropies.detach() < most).nonzero().squeeze(1);
}

/// A loss that stays very low tells a model that answers everything alike: it begins again.
void SarAdapter::follow_loss(double loss) {
  const double before = moving_loss_.item<double>();
  const double now = before == kNone ? loss : kKeep * before + (1 - kKeep) * loss;
  moving_loss_.fill_(now);
  if (now < options_.reset_below) reset();
}

void SarAdapter::reset() {
  student_.set(student_.at_places(network().weights()));
  for (const at::Tensor& velocity : optimiser_.velocity) velocity.zero_();
  moving_loss_.fill_(kNone);
}

Memory SarAdapter::memory() const {
  Memory memory = StudentMethod::memory();
  memory.push_back({"moving_loss", moving_loss_});
  return memory;
}

void climb(const Tensors& values, const Tensors& gradients, double radius) {
  const at::NoGradGuard no_grad;
  double square = 0;
  for (const at::Tensor& gradient : gradients) square += gradient.square().sum().item<double>();
  const double step = radius / (std::sqrt(square) + 1e-12);
  for (std::size_t i = 0; i < values.size(); ++i) values[i].add_(gradients[i], step);
}

}  // namespace stad::backbone
