#pragma once

#include <cstdint>
#include <vector>

#include <stad/matrix.hpp>
#include <stad/source_model.hpp>

namespace stad::speed {

struct Shape {
  Index samples = 0;    ///< N
  Index dimension = 0;  ///< D
  Index classes = 0;    ///< K
};

/// A head and batches that belong to it, made before anything is timed.
struct SyntheticStream {
  SourceModel source;
  std::vector<Matrix> batches;  ///< each N x D; a ring, for a stream has no end

  const Matrix& batch(Index i) const { return batches[static_cast<std::size_t>(i) % batches.size()]; }
};

inline constexpr Index kMostBatches = 64;

/// How many distinct batches are kept: at most so many, at most 256 MB.
Index ring_length(const Shape& shape, Index most = kMostBatches);

/// The same seed gives the same bits, and more batches begin with the fewer.
SyntheticStream synthetic_stream(const Shape& shape, std::uint64_t seed, Index most_batches = kMostBatches);

}  // namespace stad::speed
