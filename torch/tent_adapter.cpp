#include "torch/tent_adapter.hpp"

#include "base/try.hpp"
#include "torch/optimisation.hpp"

namespace stad::backbone {

TentAdapter::TentAdapter(SourceNetwork source_network, const TentOptions& options)
    : GradientMethod(std::move(source_network), options, &Network::norm_parameters, options.learning_rate) {}

Result<at::Tensor> TentAdapter::learn(const at::Tensor& images, std::optional<double>) {
  const at::Tensor logits = student_logits(images);
  STAD_ASSIGN(const Tensors gradients, student_.gradients(entropy(logits).mean()));
  optimiser_.step(student_.trained(), gradients);
  return logits;
}

}  // namespace stad::backbone
