#pragma once

#include <cstdint>

#include "base/random.hpp"
#include "math/eigen.hpp"

namespace stad::testing {

/// Independent standard normal values, drawn row by row.
template <typename Scalar>
Rows<Scalar> random_rows(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Rows<Scalar> values(rows, cols);
  for (Index i = 0; i < values.size(); ++i) values.data()[i] = static_cast<Scalar>(random.normal());
  return values;
}

inline Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  return to_matrix(random_rows<float>(rows, cols, seed));
}

}  // namespace stad::testing
