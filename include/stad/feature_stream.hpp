#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace stad
