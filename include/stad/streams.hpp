#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <stad/export.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// The label of a row that is not scored: it belongs to none of the head's classes, or nobody knows to which.
inline constexpr std::int64_t kNoClass = -1;

/// A recorded stream: embeddings in order, with what is known about each row. The rows may live in a memory-mapped
/// file; `storage` keeps them alive.
struct FeatureStream {
  std::string name = "stream";       ///< the file, for messages
  MatrixView features;               ///< N x D
  std::vector<std::int64_t> labels;  ///< N, or empty; a class or kNoClass; to score, and to be told late
  std::vector<double> time;          ///< N, or empty
  std::vector<Index> batch_sizes;    ///< sums to N, or empty
  std::shared_ptr<const void> storage;

  bool has_labels() const { return !labels.empty(); }
  bool has_time() const { return !time.empty(); }

  /// A stream that owns its rows.
  static FeatureStream from(Matrix features) {
    auto owned = std::make_shared<const Matrix>(std::move(features));
    FeatureStream stream;
    stream.features = owned->view();
    stream.storage = std::move(owned);
    return stream;
  }
};

/// What one image holds, in the order its values lie in memory: channels first.
struct ImageShape {
  Index channels = 0;
  Index height = 0;
  Index width = 0;

  Index size() const { return channels * height * width; }
  bool operator==(const ImageShape&) const = default;
};

/// A recorded stream of images: every row of `pixels` is one image, flat, as a network takes it.
struct ImageStream {
  ImageShape shape;
  FeatureStream pixels;  ///< N x (channels height width)
};

/// A stream of its own with some of the images, their labels and times, in the order of `rows`.
STAD_API ImageStream select_images(const ImageStream& images, std::span<const Index> rows);

}  // namespace stad
