#include "torch/rotta_adapter.hpp"

#include "base/try.hpp"
#include "torch/augment.hpp"
#include "torch/losses.hpp"

namespace stad::backbone {
namespace {

Statistics copy_of(const Statistics& statistics) { return {copies(statistics.means), copies(statistics.variances)}; }

}  // namespace

RottaAdapter::RottaAdapter(Start start, const RottaOptions& options)
    : NetworkMethod(std::move(start), options),
      student_(network().weights(), network().norm_parameters()),
      teacher_(network().weights(), network().norm_parameters()),
      student_statistics_(copy_of(network().source_statistics())),
      teacher_statistics_(copy_of(network().source_statistics())),
      adam_(student_.trained(), options.learning_rate),
      memory_(options.memory, source().classes(), shape(), options.timeliness, options.uncertainty),
      arrivals_(at::zeros({}, at::kLong)) {}

Result<at::Tensor> RottaAdapter::learn(const at::Tensor& images, std::optional<double>) {
  at::Generator random = generator(options_.seed);
  const at::Tensor logits = infer(images);
  const at::Tensor labels = logits.argmax(1), doubts = entropy(logits).to(at::kDouble);
  for (Index i = 0; i < images.size(0); ++i) {
    memory_.offer(images[i], labels[i].item<Index>(), doubts[i].item<double>());
    arrivals_ += 1;
    if (arrivals_.item<Index>() % options_.update_every == 0) STAD_TRY(step_on_memory(random));
  }
  return logits;
}

Status RottaAdapter::step_on_memory(at::Generator random) {
  const at::Tensor remembered = memory_.images();
  at::Tensor taught;
  {
    const at::NoGradGuard no_grad;
    taught = run_robust(remembered, teacher_.weights(), teacher_statistics_);
  }
  const at::Tensor logits = run_robust(augment(remembered, random), student_.weights(), student_statistics_);
  const at::Tensor timeliness = (-memory_.ages()).sigmoid();  // exp(-age) / (1 + exp(-age))
  STAD_ASSIGN(const Tensors gradients, student_.gradients((cross_entropy(logits, taught) * timeliness).mean()));
  adam_.step(student_.trained(), gradients);
  move_towards(teacher_.trained(), student_.trained(), options_.teacher_momentum);
  return {};
}

at::Tensor RottaAdapter::run_robust(const at::Tensor& images, const Tensors& weights, Statistics& statistics) const {
  const auto moving =
      c10::make_intrusive<MovingStatistics>(statistics, options_.statistics_momentum, 0, /*learns=*/true);
  const at::Tensor logits = network().run(images, weights, moving).logits;
  statistics = moving->average();
  return logits;
}

at::Tensor RottaAdapter::infer(const at::Tensor& images) const {
  return logits_of(images, teacher_.weights(),
                   c10::make_intrusive<MovingStatistics>(teacher_statistics_, 0, 0, /*learns=*/false));
}

Memory RottaAdapter::memory() const {
  const auto names = student_.at_places(network().names());
  Memory memory{{"arrivals", arrivals_}};
  remember(memory, "student", names, student_.trained());
  remember(memory, "teacher", names, teacher_.trained());
  remember(memory, "student", network().norms(), student_statistics_);
  remember(memory, "teacher", network().norms(), teacher_statistics_);
  adam_.remember(memory, names);
  memory_.remember(memory);
  return memory;
}

}  // namespace stad::backbone
