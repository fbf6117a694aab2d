#pragma once

#include <span>

#include <Eigen/Core>

#include <stad/matrix.hpp>

namespace stad {

// Public headers do not use Eigen, because the layout of its types depends on the instruction set.

template <typename Scalar>
using Rows = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using FloatRows = Rows<float>;
using DoubleRows = Rows<double>;

using FloatRowsMap = Eigen::Map<FloatRows>;
using ConstFloatRowsMap = Eigen::Map<const FloatRows, Eigen::Unaligned, Eigen::OuterStride<>>;

inline ConstFloatRowsMap as_eigen(MatrixView m) { return {m.data, m.rows, m.cols, Eigen::OuterStride<>(m.stride)}; }
inline FloatRowsMap as_eigen(Matrix& m) { return {m.data(), m.rows(), m.cols()}; }
inline ConstFloatRowsMap as_eigen(const Matrix& m) { return as_eigen(m.view()); }

template <typename Scalar>
Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>> as_array(std::span<Scalar> values) {
  return {values.data(), static_cast<Index>(values.size())};
}
template <typename Scalar>
Eigen::Map<const Eigen::Array<Scalar, Eigen::Dynamic, 1>> as_array(std::span<const Scalar> values) {
  return {values.data(), static_cast<Index>(values.size())};
}

/// Rows in memory of the caller.
template <typename Scalar>
using RowsMap = Eigen::Map<Rows<Scalar>>;

/// A row as a span.
template <typename Scalar>
std::span<Scalar> row_of(Rows<Scalar>& rows, Index r) {
  return {rows.data() + r * rows.cols(), static_cast<std::size_t>(rows.cols())};
}
template <typename Scalar>
std::span<const Scalar> row_of(const Rows<Scalar>& rows, Index r) {
  return {rows.data() + r * rows.cols(), static_cast<std::size_t>(rows.cols())};
}

template <typename Scalar>
std::span<Scalar> row_of(RowsMap<Scalar>& rows, Index r) {
  return {rows.data() + r * rows.cols(), static_cast<std::size_t>(rows.cols())};
}

template <typename Scalar>
std::span<const Scalar> row_of(const Eigen::Map<const Rows<Scalar>>& rows, Index r) {
  return {rows.data() + r * rows.cols(), static_cast<std::size_t>(rows.cols())};
}

/// Converts to the public float32 matrix.
template <typename Scalar>
Matrix to_matrix(const Rows<Scalar>& rows) {
  Matrix result(rows.rows(), rows.cols());
  as_eigen(result) = rows.template cast<float>();
  return result;
}

}  // namespace stad
