#include "torch/bn_adapter.hpp"

#include "torch/optimisation.hpp"

namespace stad::backbone {

BnAdapter::BnAdapter(SourceNetwork source_network, const BnOptions& options)
    : NetworkMethod(std::move(source_network), options) {
  if (uses_batch_statistics_only()) return;
  const NormStatistics source = network().source_statistics();
  average_ = {clones(source.means), clones(source.variances)};
}

Result<at::Tensor> BnAdapter::learn(const at::Tensor& images, std::optional<double>) {
  if (uses_batch_statistics_only()) return infer(images);
  const auto moving =
      c10::make_intrusive<MovingStatistics>(average_, options_.momentum, options_.source_share, /*updates=*/true);
  const at::Tensor logits = logits_of(images, weights(), moving);
  average_ = moving->average();
  return logits;
}

at::Tensor BnAdapter::infer(const at::Tensor& images) const {
  if (uses_batch_statistics_only()) return logits_of(images, weights(), batch_statistics());
  return logits_of(
      images, weights(),
      c10::make_intrusive<MovingStatistics>(average_, options_.momentum, options_.source_share, /*updates=*/false));
}

StateTensors BnAdapter::state_tensors() const {
  StateTensors tensors;
  append_tensors(tensors, "average", network().norms(), average_);
  return tensors;
}

}  // namespace stad::backbone
