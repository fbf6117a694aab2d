#include "torch/bn_adapter.hpp"

#include "torch/student.hpp"

namespace stad::backbone {

BnAdapter::BnAdapter(Start start, const BnOptions& options) : NetworkMethod(std::move(start), options) {
  if (uses_the_batch_alone()) return;
  const Statistics source = network().source_statistics();
  average_ = {copies(source.means), copies(source.variances)};
}

Result<at::Tensor> BnAdapter::learn(const at::Tensor& images, std::optional<double>) {
  if (uses_the_batch_alone()) return infer(images);
  const auto moving =
      c10::make_intrusive<MovingStatistics>(average_, options_.momentum, options_.source_share, /*learns=*/true);
  const at::Tensor logits = logits_of(images, weights(), moving);
  average_ = moving->average();
  return logits;
}

at::Tensor BnAdapter::infer(const at::Tensor& images) const {
  if (uses_the_batch_alone()) return logits_of(images, weights(), batch_statistics());
  return logits_of(
      images, weights(),
      c10::make_intrusive<MovingStatistics>(average_, options_.momentum, options_.source_share, /*learns=*/false));
}

Memory BnAdapter::memory() const {
  Memory memory;
  remember(memory, "average", network().norms(), average_);
  return memory;
}

}  // namespace stad::backbone
