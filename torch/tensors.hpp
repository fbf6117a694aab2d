#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/ATen.h>

#include <stad/matrix.hpp>
#include <stad/streams.hpp>

namespace stad::backbone {

// Conversions between the library's values and torch's: rows, images, labelled batches and errors.

using Tensors = std::vector<at::Tensor>;

/// N x C x H x W. Always a copy, because a network may modify its input in place.
at::Tensor to_images(MatrixView rows, const ImageShape& shape);

/// N x D float32.
Matrix to_rows(const at::Tensor& values);

/// Labelled images in random order, batch by batch: one epoch.
class ShuffledBatches {
 public:
  struct LabelledBatch {
    at::Tensor images;
    at::Tensor labels;  ///< N, int64
  };

  /// @param stream must outlive this object
  /// @param rows of the stream, each used once
  ShuffledBatches(const FeatureStream& stream, const ImageShape& shape, const std::vector<Index>& rows,
                  Index batch_size, const at::Generator& generator);

  /// The next batch, or nothing at the end of the epoch. The last batch may be smaller.
  std::optional<LabelledBatch> next();

 private:
  const FeatureStream& stream_;
  ImageShape shape_;
  std::vector<Index> order_;
  Index batch_size_;
  std::size_t next_ = 0;  ///< position in order_
};

/// The given rows of the stream as N x C x H x W.
at::Tensor gather_images(const FeatureStream& stream, const ImageShape& shape, std::span<const Index> rows);

/// One line of torch's error text, without the interpreter's source lines before it and the stack trace after it.
inline std::string error_message(const std::exception& error) {
  constexpr std::string_view kMark = "RuntimeError: ";
  const std::string_view text = error.what();
  const auto mark = text.rfind(kMark);
  const auto rest = mark == std::string_view::npos ? text : text.substr(mark + kMark.size());
  return std::string(rest.substr(0, rest.find('\n')));
}

}  // namespace stad::backbone
