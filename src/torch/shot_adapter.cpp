#include "torch/shot_adapter.hpp"

#include "base/try.hpp"
#include "torch/losses.hpp"

namespace stad::backbone {

ShotAdapter::ShotAdapter(Start start, const ShotOptions& options)
    : NetworkMethod(std::move(start), options),
      student_(network().weights(), network().extractor_parameters()),
      sgd_(student_.trained(), options.learning_rate, options.momentum) {}

Result<at::Tensor> ShotAdapter::learn(const at::Tensor& images, std::optional<double>) {
  const at::Tensor logits = network().run(images, student_.weights(), batch_statistics()).logits;
  STAD_ASSIGN(const Tensors gradients,
              student_.gradients(information_loss(logits, options_.beta, options_.confidence)));
  sgd_.step(student_.trained(), gradients);
  return logits;
}

at::Tensor ShotAdapter::infer(const at::Tensor& images) const {
  return logits_of(images, student_.weights(), batch_statistics());
}

Memory ShotAdapter::memory() const {
  const auto names = student_.at_places(network().names());
  Memory memory;
  remember(memory, "student", names, student_.trained());
  sgd_.remember(memory, names);
  return memory;
}

}  // namespace stad::backbone
