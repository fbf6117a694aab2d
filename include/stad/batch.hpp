#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <stad/matrix.hpp>

namespace stad {

/// N embeddings that arrive together, and their time. Labels, if any, follow later by the ids of the rows
/// (`Adapter::observe`).
struct Batch {
  MatrixView features;  ///< N x D, read in place
  /// Time of all rows in any unit, finite and at most 1e290 in magnitude.
  std::optional<double> time;
  /// N ids of the rows, for late labels, or empty. An id refers to the newest row that has it.
  std::span<const std::int64_t> ids;

  Batch(MatrixView features_) : features(features_) {}
  Batch(const Matrix& features_) : features(features_.view()) {}
  Batch(MatrixView features_, double time_) : features(features_), time(time_) {}
};

}  // namespace stad
