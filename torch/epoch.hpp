#pragma once

#include <optional>
#include <vector>

#include <stad/streams.hpp>

#include "torch/tensors.hpp"

namespace stad::backbone {

/// Labelled images in random order, a batch at a time.
class Epoch {
 public:
  struct LabelledBatch {
    at::Tensor images;
    at::Tensor labels;  ///< N, integers
  };

  /// @param rows of the stream, each used once; the stream must outlive the epoch
  Epoch(const FeatureStream& stream, const ImageShape& shape, const std::vector<Index>& rows, Index batch_size,
        at::Generator generator);

  std::optional<LabelledBatch> next();

 private:
  const FeatureStream& stream_;
  ImageShape shape_;
  std::vector<Index> order_;
  Index batch_size_;
  std::size_t at_ = 0;
};

/// The rows as images, gathered.
at::Tensor gather_images(const FeatureStream& stream, const ImageShape& shape, std::span<const Index> rows);

}  // namespace stad::backbone
