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

/// Label of a row that is not scored, because it belongs to none of the classes or its class is unknown.
inline constexpr std::int64_t kNoClass = -1;

/// A recorded stream: embeddings in order, with optional labels and times. The rows may be in a memory-mapped file,
/// which `storage` owns.
struct FeatureStream {
  std::string name = "stream";       ///< name of the file, for messages
  MatrixView features;               ///< N x D
  std::vector<std::int64_t> labels;  ///< N, or empty; classes or kNoClass; for scoring and late labels
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

/// Shape of one image in the order of its values in memory: channels first.
struct ImageShape {
  Index channels = 0;
  Index height = 0;
  Index width = 0;

  Index size() const { return channels * height * width; }
  bool operator==(const ImageShape&) const = default;
};

/// A recorded stream of images: every row of `pixels` is one flat image.
struct ImageStream {
  ImageShape shape;
  FeatureStream pixels;  ///< N x (channels height width)
};

/// Copies the images of these rows, with their labels and times, in the order of `rows`.
STAD_API ImageStream select_images(const ImageStream& images, std::span<const Index> rows);

}  // namespace stad
