#pragma once

#include <stad/matrix.hpp>

#include "math/eigen.hpp"

namespace stad {

/// View of rows of float or double.
template <typename Scalar>
struct RowsView {
  const Scalar* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;

  RowsView(const Scalar* data_, Index rows_, Index cols_, Index stride_)
      : data(data_), rows(rows_), cols(cols_), stride(stride_) {}
  template <typename Derived>
  RowsView(const Eigen::PlainObjectBase<Derived>& m) : RowsView(m.data(), m.rows(), m.cols(), m.cols()) {}
  template <typename Storage>
  RowsView(const Eigen::Map<Storage>& m) : RowsView(m.data(), m.rows(), m.cols(), m.cols()) {}

  RowsView rows_from(Index first, Index count) const { return {data + first * stride, count, cols, stride}; }
};

inline RowsView<float> rows_view(MatrixView m) { return {m.data, m.rows, m.cols, m.stride}; }

/// A B^T: the inner products of every row of A with every row of B, with sums in double. Each depends on the values of
/// its two rows alone, so that equal rows give equal bits. For float and double.
template <typename A, typename B>
void wide_products(RowsView<A> a, RowsView<B> b, Eigen::Map<DoubleRows> products);

}  // namespace stad
