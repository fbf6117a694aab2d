#pragma once

#include <cstdlib>

#include "serving/protocol/infer_request.hpp"
#include "serving/protocol/infer_response.hpp"

// What the fuzzers of requests share.
namespace stad::fuzz {

inline void require(bool kept) {
  if (!kept) std::abort();
}

/// An answer of as many rows, with three classes.
inline serving::InferAnswer answer_to(const serving::InferRequest& request) {
  const auto rows = static_cast<std::size_t>(request.features.rows());
  serving::InferAnswer answer;
  answer.labels.resize(rows);
  answer.probabilities = Matrix(request.features.rows(), 3);
  answer.source_labels.resize(rows);
  answer.adapted_labels.resize(rows);
  answer.mode = "active";
  return answer;
}

}  // namespace stad::fuzz
