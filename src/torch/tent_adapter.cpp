#include "torch/tent_adapter.hpp"

#include "base/try.hpp"
#include "torch/losses.hpp"

namespace stad::backbone {

TentAdapter::TentAdapter(Start start, const TentOptions& options)
    : NetworkMethod(std::move(start), options),
      student_(network().weights(), network().norm_parameters()),
      adam_(student_.trained(), options.learning_rate) {}

Result<at::Tensor> TentAdapter::learn(const at::Tensor& images, std::optional<double>) {
  const at::Tensor logits = network().run(images, student_.weights(), batch_statistics()).logits;
  STAD_ASSIGN(const Tensors gradients, student_.gradients(entropy(logits).mean()));
  adam_.step(student_.trained(), gradients);
  return logits;
}

at::Tensor TentAdapter::infer(const at::Tensor& images) const {
  return logits_of(images, student_.weights(), batch_statistics());
}

Memory TentAdapter::memory() const {
  const auto names = student_.at_places(network().names());
  Memory memory;
  remember(memory, "student", names, student_.trained());
  adam_.remember(memory, names);
  return memory;
}

}  // namespace stad::backbone
