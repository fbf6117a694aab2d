#include "torch/rotta_adapter.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/try.hpp"
#include "torch/augment.hpp"
#include "torch/optimisation.hpp"

namespace stad::backbone {
namespace {

Index* int64_values(const at::Tensor& tensor) { return tensor.data_ptr<std::int64_t>(); }

NormStatistics copy_of(const NormStatistics& statistics) {
  return {clones(statistics.means), clones(statistics.variances)};
}

}  // namespace

RottaMemory::RottaMemory(Index capacity, Index classes, const ImageShape& image, double timeliness, double uncertainty)
    : capacity_(capacity),
      classes_(classes),
      timeliness_(timeliness),
      uncertainty_(uncertainty),
      images_(at::zeros({capacity, image.channels, image.height, image.width})),
      labels_(at::zeros({capacity}, at::kLong)),
      ages_(at::zeros({capacity}, at::kLong)),
      entropies_(at::zeros({capacity}, at::kDouble)),
      size_(at::zeros({}, at::kLong)) {}

void RottaMemory::insert(const at::Tensor& image, Index label, double entropy) {
  const Index index = find_slot(label, score(0, entropy));
  if (index >= 0) {
    images_[index].copy_(image);
    int64_values(labels_)[index] = label;
    int64_values(ages_)[index] = 0;
    entropies_.data_ptr<double>()[index] = entropy;
  }
  ages_.narrow(0, 0, size()) += 1;
}

double RottaMemory::score(Index age, double entropy) const {
  const double share = static_cast<double>(age) / static_cast<double>(capacity_);
  return timeliness_ / (1 + std::exp(-share)) + uncertainty_ * entropy / std::log(static_cast<double>(classes_));
}

Index RottaMemory::count(Index label) const {
  return std::count(int64_values(labels_), int64_values(labels_) + size(), label);
}

Index RottaMemory::find_slot(Index label, double score) {
  const double fair_share = static_cast<double>(capacity_) / static_cast<double>(classes_);
  if (static_cast<double>(count(label)) < fair_share) {
    if (size() == capacity_) return slot_of_worst(majority_classes(), score);
    size_ += 1;
    return size() - 1;
  }
  std::vector<bool> own(static_cast<std::size_t>(classes_), false);
  own[static_cast<std::size_t>(label)] = true;
  return slot_of_worst(own, score);
}

Index RottaMemory::slot_of_worst(const std::vector<bool>& classes, double score_limit) {
  Index worst = -1;
  double highest = score_limit;
  for (Index i = 0; i < size(); ++i) {
    if (!classes[static_cast<std::size_t>(int64_values(labels_)[i])]) continue;
    const double own = score(int64_values(ages_)[i], entropies_.data_ptr<double>()[i]);
    if (own <= highest) continue;
    highest = own;
    worst = i;
  }
  return worst;
}

std::vector<bool> RottaMemory::majority_classes() const {
  std::vector<Index> counts;
  for (Index k = 0; k < classes_; ++k) counts.push_back(count(k));
  const Index most = *std::max_element(counts.begin(), counts.end());
  std::vector<bool> majority;
  majority.reserve(counts.size());
  for (const Index own : counts) majority.push_back(own == most);
  return majority;
}

at::Tensor RottaMemory::ages() const {
  return ages_.narrow(0, 0, size()).to(at::kFloat) / static_cast<double>(capacity_);
}

void RottaMemory::append_state(StateTensors& tensors) const {
  tensors.push_back({"memory.images", images_});
  tensors.push_back({"memory.labels", labels_});
  tensors.push_back({"memory.ages", ages_});
  tensors.push_back({"memory.entropies", entropies_});
  tensors.push_back({"memory.size", size_});
}

Status RottaMemory::check() const {
  if (size() < 0 || size() > capacity_)
    return invalid(fmt::format("state: memory.size is {}, must be from 0 to {}", size(), capacity_));
  for (Index i = 0; i < capacity_; ++i)
    if (int64_values(labels_)[i] < 0 || int64_values(labels_)[i] >= classes_ || int64_values(ages_)[i] < 0)
      return invalid(fmt::format("state: row {} of memory.labels or memory.ages is out of range", i));
  return {};
}

RottaAdapter::RottaAdapter(SourceNetwork source_network, const RottaOptions& options)
    : NetworkMethod(std::move(source_network), options),
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
  const at::Tensor labels = logits.argmax(1), entropies = entropy(logits).to(at::kDouble);
  for (Index i = 0; i < images.size(0); ++i) {
    memory_.insert(images[i], labels[i].item<Index>(), entropies[i].item<double>());
    arrivals_ += 1;
    if (arrivals_.item<Index>() % options_.update_every == 0) STAD_TRY(step_on_memory(random));
  }
  return logits;
}

Status RottaAdapter::step_on_memory(const at::Generator& random) {
  const at::Tensor stored = memory_.images();
  at::Tensor teacher_logits;
  {
    const at::NoGradGuard no_grad;
    teacher_logits = run_robust(stored, teacher_.weights(), teacher_statistics_);
  }
  const at::Tensor logits = run_robust(augment(stored, random), student_.weights(), student_statistics_);
  const at::Tensor timeliness = (-memory_.ages()).sigmoid();  // exp(-age) / (1 + exp(-age))
  STAD_ASSIGN(const Tensors gradients, student_.gradients((cross_entropy(logits, teacher_logits) * timeliness).mean()));
  adam_.step(student_.trained(), gradients);
  update_moving_average(teacher_.trained(), student_.trained(), options_.teacher_momentum);
  return {};
}

at::Tensor RottaAdapter::run_robust(const at::Tensor& images, const Tensors& weights,
                                    NormStatistics& statistics) const {
  const auto moving =
      c10::make_intrusive<MovingStatistics>(statistics, options_.statistics_momentum, 0, /*updates=*/true);
  at::Tensor logits = network().run(images, weights, moving).logits;
  statistics = moving->average();
  return logits;
}

at::Tensor RottaAdapter::infer(const at::Tensor& images) const {
  return logits_of(images, teacher_.weights(),
                   c10::make_intrusive<MovingStatistics>(teacher_statistics_, 0, 0, /*updates=*/false));
}

StateTensors RottaAdapter::state_tensors() const {
  const auto names = student_.select_trained(network().names());
  StateTensors tensors{{"arrivals", arrivals_}};
  append_tensors(tensors, "student", names, student_.trained());
  append_tensors(tensors, "teacher", names, teacher_.trained());
  append_tensors(tensors, "student", network().norms(), student_statistics_);
  append_tensors(tensors, "teacher", network().norms(), teacher_statistics_);
  adam_.append_state(tensors, names);
  memory_.append_state(tensors);
  return tensors;
}

}  // namespace stad::backbone
