#include "torch/epoch.hpp"

#include <algorithm>
#include <span>

namespace stad::backbone {

Epoch::Epoch(const FeatureStream& stream, const ImageShape& shape, const std::vector<Index>& rows, Index batch_size,
             at::Generator generator)
    : stream_(stream), shape_(shape), batch_size_(batch_size) {
  const at::Tensor order = at::randperm(static_cast<Index>(rows.size()), generator, at::kLong);
  for (std::size_t i = 0; i < rows.size(); ++i)
    order_.push_back(rows[static_cast<std::size_t>(order.data_ptr<std::int64_t>()[i])]);
}

std::optional<Epoch::LabelledBatch> Epoch::next() {
  if (at_ >= order_.size()) return std::nullopt;
  const auto count = std::min(static_cast<std::size_t>(batch_size_), order_.size() - at_);
  const std::span<const Index> rows(order_.data() + at_, count);
  at_ += count;
  at::Tensor labels = at::empty({static_cast<Index>(count)}, at::kLong);
  std::ranges::transform(rows, labels.data_ptr<std::int64_t>(),
                         [&](Index row) { return stream_.labels[static_cast<std::size_t>(row)]; });
  return LabelledBatch{gather_images(stream_, shape_, rows), labels};
}

at::Tensor gather_images(const FeatureStream& stream, const ImageShape& shape, std::span<const Index> rows) {
  at::Tensor images =
      at::empty({static_cast<Index>(rows.size()), shape.channels, shape.height, shape.width}, at::kFloat);
  float* to = images.data_ptr<float>();
  for (const Index row : rows) to = std::ranges::copy(stream.features.row(row), to).out;
  return images;
}

}  // namespace stad::backbone
