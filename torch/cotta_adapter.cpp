#include "torch/cotta_adapter.hpp"

#include "base/try.hpp"
#include "torch/augment.hpp"
#include "torch/optimisation.hpp"

namespace stad::backbone {

CottaAdapter::CottaAdapter(SourceNetwork source_network, const CottaOptions& options)
    : NetworkMethod(std::move(source_network), options),
      student_(network().weights(), network().parameters()),
      teacher_(network().weights(), network().parameters()),
      adam_(student_.trained(), options.learning_rate) {}

Result<at::Tensor> CottaAdapter::learn(const at::Tensor& images, std::optional<double>) {
  at::Generator random = generator(options_.seed);
  const at::Tensor pseudo_logits =
      source_confidence(images) < options_.confidence ? mean_over_views(images, random) : infer(images);
  const at::Tensor logits = network().run(images, student_.weights(), batch_statistics()).logits;
  STAD_ASSIGN(const Tensors gradients, student_.gradients(cross_entropy(logits, pseudo_logits).mean()));
  adam_.step(student_.trained(), gradients);
  update_moving_average(teacher_.trained(), student_.trained(), options_.teacher_momentum);
  stochastic_restore(student_.trained(), student_.select_trained(network().weights()), options_.restore, random);
  return pseudo_logits;
}

at::Tensor CottaAdapter::infer(const at::Tensor& images) const {
  return logits_of(images, teacher_.weights(), batch_statistics());
}

double CottaAdapter::source_confidence(const at::Tensor& images) const {
  const at::Tensor logits = logits_of(images, network().weights(), batch_statistics());
  return logits.softmax(1).amax(1).mean().item<double>();
}

at::Tensor CottaAdapter::mean_over_views(const at::Tensor& images, const at::Generator& generator) const {
  at::Tensor sum = infer(augment(images, generator));
  for (Index view = 1; view < options_.augmentations; ++view) sum += infer(augment(images, generator));
  return sum / static_cast<double>(options_.augmentations);
}

StateTensors CottaAdapter::state_tensors() const {
  const auto names = student_.select_trained(network().names());
  StateTensors tensors;
  append_tensors(tensors, "student", names, student_.trained());
  append_tensors(tensors, "teacher", names, teacher_.trained());
  adam_.append_state(tensors, names);
  return tensors;
}

void stochastic_restore(const Tensors& values, const Tensors& source, double probability,
                        const at::Generator& generator) {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const at::Tensor reset = at::rand(values[i].sizes(), generator, at::kFloat) < probability;
    values[i].copy_(at::where(reset, source[i], values[i]));
  }
}

}  // namespace stad::backbone
