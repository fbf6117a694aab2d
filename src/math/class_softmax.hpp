#pragma once

#include <span>

#include "math/eigen.hpp"

namespace stad {

/// What makes logits of cosines: logit_kn = scale_k cosine_kn + offset_k.
template <typename Scalar>
struct LogitTerms {
  std::span<const Scalar> scales;   ///< K
  std::span<const Scalar> offsets;  ///< K
};

/// Offsets less their largest. They may be 1e6 for all (log C_D), and only their differences decide.
template <typename Scalar>
void place_offsets(std::span<const double> exact, std::span<Scalar> offsets) {
  as_array(offsets) = (as_array(exact) - as_array(exact).maxCoeff()).template cast<Scalar>();
}

/// softmax over the classes for every sample, with one row a class, K x n: few classes or few samples, one of the
/// two ways along is long enough for vectors. For float and double.
template <typename Scalar>
void class_softmax(const Eigen::Map<const Rows<Scalar>>& cosines, const LogitTerms<Scalar>& terms,
                   RowsMap<Scalar> probabilities);

}  // namespace stad
