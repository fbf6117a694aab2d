#include "torch/shot_adapter.hpp"

#include "base/try.hpp"
#include "torch/losses.hpp"

namespace stad::backbone {

ShotAdapter::ShotAdapter(Start start, const ShotOptions& options)
    : StudentMethod(std::move(start), options, &Network::extractor_parameters, options.learning_rate,
                    options.momentum) {}

Result<at::Tensor> ShotAdapter::learn(const at::Tensor& images, std::optional<double>) {
  const at::Tensor logits = student_logits(images);
  STAD_ASSIGN(const Tensors gradients,
              student_.gradients(information_loss(logits, options_.beta, options_.confidence)));
  optimiser_.step(student_.trained(), gradients);
  return logits;
}

}  // namespace stad::backbone
