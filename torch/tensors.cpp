#include "torch/tensors.hpp"

#include <algorithm>
#include <span>

namespace stad::backbone {

at::Tensor to_images(MatrixView rows, const ImageShape& shape) {
  at::Tensor images = at::empty({rows.rows, shape.channels, shape.height, shape.width}, at::kFloat);
  auto* to = images.data_ptr<float>();
  for (Index r = 0; r < rows.rows; ++r, to += rows.cols) std::copy_n(rows.row(r).data(), rows.cols, to);
  return images;
}

Matrix to_rows(const at::Tensor& values) {
  const at::Tensor flat = values.detach().to(at::kFloat).contiguous();
  Matrix rows(flat.size(0), flat.size(1));
  std::copy_n(flat.data_ptr<float>(), flat.numel(), rows.data());
  return rows;
}

ShuffledBatches::ShuffledBatches(const FeatureStream& stream, const ImageShape& shape, const std::vector<Index>& rows,
                                 Index batch_size, const at::Generator& generator)
    : stream_(stream), shape_(shape), batch_size_(batch_size) {
  const at::Tensor order = at::randperm(static_cast<Index>(rows.size()), generator, at::kLong);
  for (std::size_t i = 0; i < rows.size(); ++i)
    order_.push_back(rows[static_cast<std::size_t>(order.data_ptr<std::int64_t>()[i])]);
}

std::optional<ShuffledBatches::LabelledBatch> ShuffledBatches::next() {
  if (next_ >= order_.size()) return std::nullopt;
  const auto count = std::min(static_cast<std::size_t>(batch_size_), order_.size() - next_);
  const std::span<const Index> rows(order_.data() + next_, count);
  next_ += count;
  at::Tensor labels = at::empty({static_cast<Index>(count)}, at::kLong);
  std::ranges::transform(rows, labels.data_ptr<std::int64_t>(),
                         [&](Index row) { return stream_.labels[static_cast<std::size_t>(row)]; });
  return LabelledBatch{gather_images(stream_, shape_, rows), labels};
}

at::Tensor gather_images(const FeatureStream& stream, const ImageShape& shape, std::span<const Index> rows) {
  at::Tensor images =
      at::empty({static_cast<Index>(rows.size()), shape.channels, shape.height, shape.width}, at::kFloat);
  auto* to = images.data_ptr<float>();
  for (const Index row : rows) to = std::ranges::copy(stream.features.row(row), to).out;
  return images;
}

}  // namespace stad::backbone
