#pragma once

#include <span>

#include <Eigen/Core>

#include <stad/matrix.hpp>

namespace stad {

// Eigen stays behind the public headers: its types change layout with the compiler's instruction set.

using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using DoubleRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using DoubleVector = Eigen::VectorXd;

using FloatRowsMap = Eigen::Map<FloatRows>;
using ConstFloatRowsMap = Eigen::Map<const FloatRows, Eigen::Unaligned, Eigen::OuterStride<>>;

inline ConstFloatRowsMap as_eigen(MatrixView m) { return {m.data, m.rows, m.cols, Eigen::OuterStride<>(m.stride)}; }
inline FloatRowsMap as_eigen(Matrix& m) { return {m.data(), m.rows(), m.cols()}; }
inline ConstFloatRowsMap as_eigen(const Matrix& m) { return as_eigen(m.view()); }

inline Eigen::Map<Eigen::ArrayXf> as_array(std::span<float> values) {
  return {values.data(), static_cast<Index>(values.size())};
}
inline Eigen::Map<const Eigen::ArrayXf> as_array(std::span<const float> values) {
  return {values.data(), static_cast<Index>(values.size())};
}
inline Eigen::Map<Eigen::ArrayXd> as_array(std::span<double> values) {
  return {values.data(), static_cast<Index>(values.size())};
}
inline Eigen::Map<const Eigen::ArrayXd> as_array(std::span<const double> values) {
  return {values.data(), static_cast<Index>(values.size())};
}

}  // namespace stad
