#pragma once

#include <array>
#include <cmath>

#include "math/vector_lanes.hpp"

namespace stad {

/// The sum of weights[i] rows[i], evaluated on the fly: one pass computes its norm, a second writes it scaled.
template <typename Scalar, Index kTerms>
struct WeightedRows {
  std::array<const Scalar*, kTerms> rows{};
  std::array<Scalar, kTerms> weights{};

  Scalar squared_norm(Index dimension) const {
    constexpr Index kApart = 4;  // independent sums, to hide the latency of additions
    Lanes<Scalar> squares[kApart]{};
    Index d = 0;
    for (; d + kApart * kLanes<Scalar> <= dimension; d += kApart * kLanes<Scalar>)
      for (Index i = 0; i < kApart; ++i) {
        const Lanes<Scalar> value = at(d + i * kLanes<Scalar>);
        squares[i] += value * value;
      }
    for (; d + kLanes<Scalar> <= dimension; d += kLanes<Scalar>) squares[0] += at(d) * at(d);
    if (d < dimension) squares[1] += tail(d, dimension - d) * tail(d, dimension - d);
    return sum_lanes<Scalar>((squares[0] + squares[1]) + (squares[2] + squares[3]));
  }
  double norm(Index dimension) const { return std::sqrt(static_cast<double>(squared_norm(dimension))); }

  /// Writes scale times the sum. `out` may be one of the rows.
  void write(Scalar scale, Index dimension, Scalar* out) const {
    WeightedRows scaled = *this;
    for (Scalar& weight : scaled.weights) weight *= scale;
    Index d = 0;
    for (; d + kLanes<Scalar> <= dimension; d += kLanes<Scalar>) store<Scalar>(scaled.at(d), out + d);
    if (d < dimension) store_some<Scalar>(scaled.tail(d, dimension - d), out + d, dimension - d);
  }

 private:
  Lanes<Scalar> at(Index d) const {
    Lanes<Scalar> sum = weights[0] * load(rows[0] + d);
    for (Index i = 1; i < kTerms; ++i) sum += weights[i] * load(rows[i] + d);
    return sum;
  }
  /// The same for a remainder shorter than a vector.
  Lanes<Scalar> tail(Index d, Index left) const {
    Lanes<Scalar> sum = weights[0] * load_some(rows[0] + d, left);
    for (Index i = 1; i < kTerms; ++i) sum += weights[i] * load_some(rows[i] + d, left);
    return sum;
  }
};

}  // namespace stad
