#include "torch/sar_adapter.hpp"

#include <cmath>

#include "base/try.hpp"
#include "torch/optimisation.hpp"

namespace stad::backbone {
namespace {

constexpr double kNoLoss = -1;         ///< losses are not negative
constexpr double kLossMomentum = 0.9;  ///< of the moving loss

}  // namespace

SarAdapter::SarAdapter(SourceNetwork source_network, const SarOptions& options)
    : GradientMethod(std::move(source_network), options, &Network::norm_parameters_before_last_block,
                     options.learning_rate, options.momentum),
      moving_loss_(at::full({}, kNoLoss, at::kDouble)) {}

Result<at::Tensor> SarAdapter::learn(const at::Tensor& images, std::optional<double>) {
  const at::Tensor logits = student_logits(images);
  const at::Tensor entropies = entropy(logits);
  const at::Tensor first = reliable(entropies);
  if (first.numel() == 0) return logits;
  STAD_ASSIGN(const Tensors ascent, student_.gradients(entropies.index_select(0, first).mean()));

  const Tensors unperturbed = clones(student_.trained());
  perturb_along_gradient(student_.trained(), ascent, options_.rho);
  const at::Tensor perturbed = entropy(student_logits(images)).index_select(0, first);
  const at::Tensor second = reliable(perturbed);
  if (second.numel() == 0) {
    student_.set(unperturbed);
    return logits;
  }
  const at::Tensor loss = perturbed.index_select(0, second).mean();
  STAD_ASSIGN(const Tensors gradients, student_.gradients(loss));
  student_.set(unperturbed);
  optimiser_.step(student_.trained(), gradients);
  track_loss(loss.item<double>());
  return logits;
}

at::Tensor SarAdapter::reliable(const at::Tensor& entropies) const {
  const double most = options_.reliable * std::log(static_cast<double>(source().classes()));
  return (entropies.detach() < most).nonzero().squeeze(1);
}

void SarAdapter::track_loss(double loss) {
  const auto before = moving_loss_.item<double>();
  const double now = before == kNoLoss ? loss : kLossMomentum * before + (1 - kLossMomentum) * loss;
  moving_loss_.fill_(now);
  if (now < options_.reset_below) reset();
}

void SarAdapter::reset() {
  student_.set(student_.select_trained(network().weights()));
  for (const at::Tensor& velocity : optimiser_.velocity) velocity.zero_();
  moving_loss_.fill_(kNoLoss);
}

StateTensors SarAdapter::state_tensors() const {
  StateTensors tensors = GradientMethod::state_tensors();
  tensors.push_back({"moving_loss", moving_loss_});
  return tensors;
}

void perturb_along_gradient(const Tensors& values, const Tensors& gradients, double radius) {
  const at::NoGradGuard no_grad;
  double square = 0;
  for (const at::Tensor& gradient : gradients) square += gradient.square().sum().item<double>();
  const double step = radius / (std::sqrt(square) + 1e-12);
  for (std::size_t i = 0; i < values.size(); ++i) values[i].add_(gradients[i], step);
}

}  // namespace stad::backbone
