#include "torch/tent_adapter.hpp"

#include "base/try.hpp"
#include "torch/losses.hpp"

namespace stad::backbone {

TentAdapter::TentAdapter(Start start, const TentOptions& options)
    : StudentMethod(std::move(start), options, &Network::norm_parameters, options.learning_rate) {}

Result<at::Tensor> TentAdapter::learn(const at::Tensor& images, std::optional<double>) {
  const at::Tensor logits = student_logits(images);
  STAD_ASSIGN(const Tensors gradients, student_.gradients(entropy(logits).mean()));
  optimiser_.step(student_.trained(), gradients);
  return logits;
}

}  // namespace stad::backbone
