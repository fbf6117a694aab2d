#pragma once

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <stad/eval/simulate.hpp>
#include <stad/methods.hpp>

namespace stad::testing {

using Integers = std::vector<std::int64_t>;

inline Integers numbers(std::int64_t first, Index count) {
  Integers ids(static_cast<std::size_t>(count));
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

inline Batch named(const Matrix& rows, const Integers& ids) {
  Batch batch(rows);
  batch.ids = ids;
  return batch;
}

/// Accuracy over the second half of a stream, with every `period`-th label given one batch late.
inline double accuracy(const Simulation& drawn, const SourceModel& source, Index period,
                       const char* method = "stad-vmf") {
  constexpr Index kBatch = 64;
  const auto adapter = *make_adapter(method, source);
  const MatrixView all = drawn.stream.features;
  double right = 0;
  double scored = 0;
  Integers ids;
  Integers labels;
  for (Index first = 0; first + kBatch <= all.rows; first += kBatch) {
    const Integers names = numbers(first, kBatch);
    Batch batch(all.rows_from(first, kBatch));
    batch.ids = names;
    const auto answer = *adapter->adapt(batch);
    if (!ids.empty()) {
      EXPECT_TRUE(adapter->observe(ids, labels));
    }
    ids.clear();
    labels.clear();
    for (Index n = 0; n < kBatch; ++n) {
      const std::int64_t label = drawn.stream.labels[static_cast<std::size_t>(first + n)];
      if (period > 0 && (first + n) % period == 0) ids.push_back(first + n), labels.push_back(label);
      if (first < all.rows / 2) continue;
      right += answer.labels[static_cast<std::size_t>(n)] == label ? 1 : 0;
      scored += 1;
    }
  }
  return right / scored;
}

}  // namespace stad::testing
