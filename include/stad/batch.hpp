#pragma once

#include <optional>

#include <stad/matrix.hpp>

namespace stad {

/// What arrives at once: N embeddings, and when. Labels are not part of it: no adapter ever sees one.
struct Batch {
  MatrixView features;         ///< N x D, read in place
  std::optional<double> time;  ///< a batch never straddles two time stamps

  Batch(MatrixView features_) : features(features_) {}
  Batch(const Matrix& features_) : features(features_.view()) {}
  Batch(MatrixView features_, double time_) : features(features_), time(time_) {}
};

}  // namespace stad
