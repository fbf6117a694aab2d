#pragma once

#include <span>

#include "math/eigen.hpp"

namespace stad {

/// Logits from cosines: logit_kn = scale_k cosine_kn + offset_k.
template <typename Scalar>
struct LogitTerms {
  std::span<const Scalar> scales;   ///< K
  std::span<const Scalar> offsets;  ///< K
};

/// Subtracts the largest offset. All of them may be near 1e6 (log C_D), and only their differences matter.
template <typename Scalar>
void place_offsets(std::span<const double> exact, std::span<Scalar> offsets) {
  as_array(offsets) = (as_array(exact) - as_array(exact).maxCoeff()).template cast<Scalar>();
}

/// Softmax over the classes of every sample, with one row a class, K x n. Vectorises along the samples or, for few
/// samples, along the classes. For float and double.
template <typename Scalar>
void class_softmax(const Eigen::Map<const Rows<Scalar>>& cosines, const LogitTerms<Scalar>& terms,
                   RowsMap<Scalar> probabilities);

}  // namespace stad
