#pragma once

#include <algorithm>
#include <span>

#include <Eigen/Core>

#include "math/vector_lanes.hpp"

namespace stad {

/// e^x of every value, in place. Processes whole vectors and pads the last one, because vector and scalar exponentials
/// may differ in the last bit and the result of a value must not depend on its position.
template <typename Scalar>
void exponentiate(std::span<Scalar> values) {
  constexpr Index kWidth = kLanes<Scalar>;
  using Vector = Eigen::Array<Scalar, kWidth, 1>;
  const auto size = static_cast<Index>(values.size());
  Index i = 0;
  for (; i + kWidth <= size; i += kWidth) {
    const Vector vector = Eigen::Map<const Vector>(values.data() + i);
    Eigen::Map<Vector>(values.data() + i) = vector.exp();
  }
  if (i == size) return;
  Vector tail = Vector::Zero();
  std::copy(values.begin() + i, values.end(), tail.data());
  tail = tail.exp().eval();
  std::copy_n(tail.data(), size - i, values.begin() + i);
}

}  // namespace stad
