#pragma once

#include <cstdint>
#include <vector>

#include <stad/health.hpp>
#include <stad/matrix.hpp>

namespace stad {

/// The answer to one batch.
struct Predictions {
  std::vector<std::int64_t> labels;  ///< N; the first largest of its row of probabilities
  Matrix probabilities;              ///< N x K; rows sum to one, always finite
  /// N probabilities that the row is of none of the classes; empty where the method does not ask (`unknown = on`).
  std::vector<float> unknown;
  Index undirected = 0;  ///< rows without a direction: nothing is learned from them
  Index restarted = 0;   ///< classes whose model ran away from the data and began again from the source
  Health health;         ///< where the batch was adapted to, not only predicted
};

}  // namespace stad
