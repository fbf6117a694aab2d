#pragma once

#include <cstdint>
#include <vector>

#include <stad/matrix.hpp>
#include <stad/source_model.hpp>

namespace stad::speed {

struct BatchShape {
  Index samples = 0;    ///< N
  Index dimension = 0;  ///< D
  Index classes = 0;    ///< K
};

/// A head and batches drawn around its rows, generated before any timing.
struct SyntheticStream {
  SourceModel source;
  std::vector<Matrix> batches;  ///< each N x D; used cyclically

  const Matrix& batch(Index i) const { return batches[static_cast<std::size_t>(i) % batches.size()]; }
};

inline constexpr Index kMostBatches = 64;

/// Number of distinct batches: at most `most`, and at most 256 MB.
Index ring_length(const BatchShape& shape, Index most = kMostBatches);

/// Deterministic in the seed. A longer stream begins with the batches of a shorter one.
SyntheticStream synthetic_stream(const BatchShape& shape, std::uint64_t seed, Index most_batches = kMostBatches);

}  // namespace stad::speed
