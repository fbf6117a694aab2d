#include "torch/cotta_adapter.hpp"

#include "base/try.hpp"
#include "torch/augment.hpp"
#include "torch/losses.hpp"

namespace stad::backbone {

CottaAdapter::CottaAdapter(Start start, const CottaOptions& options)
    : NetworkMethod(std::move(start), options),
      student_(network().weights(), network().parameters()),
      teacher_(network().weights(), network().parameters()),
      adam_(student_.trained(), options.learning_rate) {}

Result<at::Tensor> CottaAdapter::learn(const at::Tensor& images, std::optional<double>) {
  at::Generator random = generator(options_.seed);
  const at::Tensor taught =
      source_confidence(images) < options_.confidence ? mean_over_views(images, random) : infer(images);
  const at::Tensor logits = network().run(images, student_.weights(), batch_statistics()).logits;
  STAD_ASSIGN(const Tensors gradients, student_.gradients(cross_entropy(logits, taught).mean()));
  adam_.step(student_.trained(), gradients);
  move_towards(teacher_.trained(), student_.trained(), options_.teacher_momentum);
  restore_some(student_.trained(), student_.at_places(network().weights()), options_.restore, random);
  return taught;
}

at::Tensor CottaAdapter::infer(const at::Tensor& images) const {
  return logits_of(images, teacher_.weights(), batch_statistics());
}

double CottaAdapter::source_confidence(const at::Tensor& images) const {
  const at::Tensor logits = logits_of(images, network().weights(), batch_statistics());
  return logits.softmax(1).amax(1).mean().item<double>();
}

at::Tensor CottaAdapter::mean_over_views(const at::Tensor& images, at::Generator generator) const {
  at::Tensor sum = infer(augment(images, generator));
  for (Index view = 1; view < options_.augmentations; ++view) sum += infer(augment(images, generator));
  return sum / static_cast<double>(options_.augmentations);
}

Memory CottaAdapter::memory() const {
  const auto names = student_.at_places(network().names());
  Memory memory;
  remember(memory, "student", names, student_.trained());
  remember(memory, "teacher", names, teacher_.trained());
  adam_.remember(memory, names);
  return memory;
}

void restore_some(const Tensors& values, const Tensors& source, double chance, at::Generator generator) {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const at::Tensor returns = at::rand(values[i].sizes(), generator, at::kFloat) < chance;
    values[i].copy_(at::where(returns, source[i], values[i]));
  }
}

}  // namespace stad::backbone
