#include "math/tridiagonal.hpp"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "base/check.hpp"
#include "math/product.hpp"

namespace stad {
namespace {

constexpr Index kPanel = 32;

/// Reduces `width` columns from `first` on and stores their reflectors v below the diagonal, with the leading 1
/// explicit. The matrix right of the panel is not updated: V W^T + W V^T, with W in `w`, is still to be subtracted, and
/// products with it account for that (Dongarra, Sorensen and Hammarling 1989; dlatrd of LAPACK).
void reduce_panel(Index first, Index width, Eigen::Ref<Eigen::MatrixXd> s, MatrixMap& w, VectorMap& weights,
                  Tridiagonal& result) {
  const Index size = s.rows();
  for (Index j = 0; j < width; ++j) {
    const Index c = first + j;
    const Index left = size - c - 1;
    const auto v_before = s.block(c, first, size - c, j);
    const auto w_before = w.block(c, 0, size - c, j);
    auto column = s.col(c).tail(size - c);
    column.noalias() -= v_before * w_before.row(0).transpose();
    column.noalias() -= w_before * v_before.row(0).transpose();
    result.diagonal[c] = column[0];

    auto v = s.col(c).tail(left);
    double beta = 0;
    v.makeHouseholderInPlace(weights[c], beta);
    result.off_diagonal[c] = beta;
    v[0] = 1;

    auto product = w.col(j).tail(left);
    product.noalias() = s.bottomRightCorner(left, left).selfadjointView<Eigen::Lower>() * v;
    // The first j values of this column of W are no longer needed and hold the inner products.
    auto inner = w.col(j).head(j);
    inner.noalias() = w_before.bottomRows(left).transpose() * v;
    product.noalias() -= v_before.bottomRows(left) * inner;
    inner.noalias() = v_before.bottomRows(left).transpose() * v;
    product.noalias() -= w_before.bottomRows(left) * inner;
    product *= weights[c];
    product -= (0.5 * weights[c] * product.dot(v)) * v;
  }
}

/// Q = H_0 H_1 ... from the reflectors below the diagonal of s, in blocks I - V T V^T.
void accumulate_basis(const Eigen::Ref<const Eigen::MatrixXd>& s, const VectorMap& weights, MatrixMap& basis) {
  const Index size = s.rows();
  Scratch scratch;
  auto v = take_matrix(scratch, size, kPanel);
  auto t = take_matrix(scratch, kPanel, kPanel);
  auto inner = take_matrix(scratch, kPanel, size);
  auto scaled = take_matrix(scratch, kPanel, size);
  basis.setIdentity();
  for (Index first = (size - 2) / kPanel * kPanel; first >= 0; first -= kPanel) {
    const Index width = std::min(kPanel, size - 1 - first);
    const Index rows = size - first - 1;
    auto block = v.topLeftCorner(rows, width);
    block = s.block(first + 1, first, rows, width);
    block.triangularView<Eigen::StrictlyUpper>().setZero();
    auto triangle = t.topLeftCorner(width, width);
    set_product(triangle, 1, block.transpose(), block);
    for (Index i = 0; i < width; ++i) {
      auto above = triangle.col(i).head(i);
      above *= -weights[first + i];
      for (Index r = 0; r < i; ++r) above[r] = triangle.row(r).segment(r, i - r).dot(above.tail(i - r));
      triangle(i, i) = weights[first + i];
    }
    triangle.triangularView<Eigen::StrictlyLower>().setZero();
    auto corner = basis.bottomRightCorner(rows, rows);
    set_product(inner.topLeftCorner(width, rows), 1, block.transpose(), corner);
    set_product(scaled.topLeftCorner(width, rows), 1, triangle, inner.topLeftCorner(width, rows));
    add_product(corner, -1, block, scaled.topLeftCorner(width, rows));
  }
}

}  // namespace

void tridiagonalise(Eigen::Ref<Eigen::MatrixXd> symmetric, Tridiagonal& result) {
  const Index size = symmetric.rows();
  Scratch scratch;
  auto w = take_matrix(scratch, size, kPanel);
  auto weights = take_vector(scratch, size);
  for (Index first = 0; first < size - 1; first += kPanel) {
    const Index width = std::min(kPanel, size - 1 - first);
    reduce_panel(first, width, symmetric, w, weights, result);
    const Index left = size - first - width;
    const auto v_below = symmetric.block(first + width, first, left, width);
    auto rest = symmetric.bottomRightCorner(left, left);
    add_product(rest, -1, v_below, w.block(first + width, 0, left, width).transpose(), Part::kLower);
    add_product(rest, -1, w.block(first + width, 0, left, width), v_below.transpose(), Part::kLower);
  }
  result.diagonal[size - 1] = symmetric(size - 1, size - 1);
  result.off_diagonal[size - 1] = 0;
  accumulate_basis(symmetric, weights, result.basis);
}

void diagonalise(Tridiagonal& reduced) {
  auto off_diagonal = reduced.off_diagonal.head(reduced.size() - 1);
  const auto info = Eigen::internal::computeFromTridiagonal_impl(
      reduced.diagonal, off_diagonal, Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>::m_maxIterations, true,
      reduced.basis);
  STAD_CHECK(info == Eigen::Success);
  off_diagonal.setZero();
}

}  // namespace stad
