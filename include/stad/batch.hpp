#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <stad/matrix.hpp>

namespace stad {

/// What arrives at once: N embeddings, and when. Labels are not part of it: they come later, if at all, by the names of
/// their rows (`Adapter::observe`).
struct Batch {
  MatrixView features;  ///< N x D, read in place
  /// In any unit, finite and at most 1e290 in magnitude; a batch never straddles two time stamps.
  std::optional<double> time;
  /// N names of the rows, for labels that come later, or empty. Of two rows with one name the newer one has it.
  std::span<const std::int64_t> ids;

  Batch(MatrixView features_) : features(features_) {}
  Batch(const Matrix& features_) : features(features_.view()) {}
  Batch(MatrixView features_, double time_) : features(features_), time(time_) {}
};

}  // namespace stad
