#include "torch/shot_adapter.hpp"

#include "base/try.hpp"
#include "torch/optimisation.hpp"

namespace stad::backbone {

ShotAdapter::ShotAdapter(SourceNetwork source_network, const ShotOptions& options)
    : GradientMethod(std::move(source_network), options, &Network::extractor_parameters, options.learning_rate,
                     options.momentum) {}

Result<at::Tensor> ShotAdapter::learn(const at::Tensor& images, std::optional<double>) {
  const at::Tensor logits = student_logits(images);
  STAD_ASSIGN(const Tensors gradients,
              student_.gradients(information_loss(logits, options_.beta, options_.confidence)));
  optimiser_.step(student_.trained(), gradients);
  return logits;
}

}  // namespace stad::backbone
