#pragma once

#include "base/scratch.hpp"
#include "math/eigen.hpp"

namespace stad {

using DoubleRowsMap = Eigen::Map<DoubleRows>;
using MatrixMap = Eigen::Map<Eigen::MatrixXd>;
using VectorMap = Eigen::Map<Eigen::VectorXd>;

// Uninitialised matrices in scratch memory.

template <typename Scalar>
Eigen::Map<Rows<Scalar>> take_rows(Scratch& scratch, Index rows, Index cols) {
  return {scratch.take<Scalar>(rows * cols).data(), rows, cols};
}

inline MatrixMap take_matrix(Scratch& scratch, Index rows, Index cols) {
  return {scratch.take<double>(rows * cols).data(), rows, cols};
}

inline VectorMap take_vector(Scratch& scratch, Index size) { return {scratch.take<double>(size).data(), size}; }

}  // namespace stad
