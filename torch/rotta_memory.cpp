#include "torch/rotta_memory.hpp"

#include <algorithm>
#include <cmath>

namespace stad::backbone {
namespace {

Index* values(const at::Tensor& tensor) { return tensor.data_ptr<std::int64_t>(); }

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

void RottaMemory::offer(const at::Tensor& image, Index label, double entropy) {
  const Index place = make_room(label, score(0, entropy));
  if (place >= 0) {
    images_[place].copy_(image);
    values(labels_)[place] = label;
    values(ages_)[place] = 0;
    entropies_.data_ptr<double>()[place] = entropy;
  }
  ages_.narrow(0, 0, size()) += 1;
}

double RottaMemory::score(Index age, double entropy) const {
  const double share = static_cast<double>(age) / static_cast<double>(capacity_);
  return timeliness_ / (1 + std::exp(-share)) + uncertainty_ * entropy / std::log(static_cast<double>(classes_));
}

Index RottaMemory::count(Index label) const { return std::count(values(labels_), values(labels_) + size(), label); }

Index RottaMemory::make_room(Index label, double score) {
  const double fair_share = static_cast<double>(capacity_) / static_cast<double>(classes_);
  if (static_cast<double>(count(label)) < fair_share) {
    if (size() == capacity_) return replace_worst(majority_classes(), score);
    size_ += 1;
    return size() - 1;
  }
  std::vector<bool> own(static_cast<std::size_t>(classes_), false);
  own[static_cast<std::size_t>(label)] = true;
  return replace_worst(own, score);
}

Index RottaMemory::replace_worst(const std::vector<bool>& classes, double score_of_newcomer) {
  Index worst = -1;
  double highest = score_of_newcomer;
  for (Index i = 0; i < size(); ++i) {
    if (!classes[static_cast<std::size_t>(values(labels_)[i])]) continue;
    const double own = score(values(ages_)[i], entropies_.data_ptr<double>()[i]);
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
  for (const Index own : counts) majority.push_back(own == most);
  return majority;
}

at::Tensor RottaMemory::ages() const {
  return ages_.narrow(0, 0, size()).to(at::kFloat) / static_cast<double>(capacity_);
}

void RottaMemory::remember(Memory& memory) const {
  memory.push_back({"memory.images", images_});
  memory.push_back({"memory.labels", labels_});
  memory.push_back({"memory.ages", ages_});
  memory.push_back({"memory.entropies", entropies_});
  memory.push_back({"memory.size", size_});
}

Status RottaMemory::check() const {
  if (size() < 0 || size() > capacity_) return invalid("state: memory.size is beyond the memory");
  for (Index i = 0; i < capacity_; ++i)
    if (values(labels_)[i] < 0 || values(labels_)[i] >= classes_ || values(ages_)[i] < 0)
      return invalid("state: memory.labels or memory.ages has a value out of range");
  return {};
}

}  // namespace stad::backbone
