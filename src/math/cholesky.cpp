#include "math/cholesky.hpp"

#include <algorithm>

#include <Eigen/Cholesky>

#include "base/check.hpp"
#include "math/product.hpp"
#include "math/scratch_rows.hpp"

namespace stad {
namespace {

constexpr Index kFactorBlock = 64;

/// Splits the right-hand sides into tiles that Eigen solves without heap memory.
template <typename Work>
void for_each_tile(Index count, Work&& work) {
  for (Index first = 0; first < count; first += kProductTile) work(first, std::min(kProductTile, count - first));
}

/// X L^-T for the rows of X, in place.
template <typename Triangle>
void solve_rows(const Triangle& l, Eigen::Ref<Eigen::MatrixXd> x) {
  for_each_tile(x.rows(), [&](Index first, Index length) {
    l.transpose().template triangularView<Eigen::Upper>().template solveInPlace<Eigen::OnTheRight>(
        x.middleRows(first, length));
  });
}

/// Returns whether S is positive definite. If not, S is left partially factored.
bool factor_lower(Eigen::Ref<Eigen::MatrixXd> s) {
  for (Index j = 0; j < s.rows(); j += kFactorBlock) {
    const Index width = std::min(kFactorBlock, s.rows() - j);
    const Index below = s.rows() - j - width;
    Eigen::Ref<Eigen::MatrixXd> corner = s.block(j, j, width, width);
    if (Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(corner).info() != Eigen::Success) return false;
    auto panel = s.block(j + width, j, below, width);
    solve_rows(corner, panel);
    add_product(s.bottomRightCorner(below, below), -1, panel, panel.transpose(), Part::kLower);
  }
  return true;
}

}  // namespace

Cholesky::Cholesky(Eigen::Ref<Eigen::MatrixXd> symmetric)
    : factor_(symmetric.data(), symmetric.rows(), symmetric.cols(), Eigen::OuterStride<>(symmetric.outerStride())) {
  STAD_CHECK(symmetric.allFinite());
  Scratch scratch;
  auto original = take_matrix(scratch, size(), size());
  original = symmetric;
  // The floor keeps the first jitter normal, so that it grows even if subnormals are flushed to zero.
  const double scale = std::max(symmetric.diagonal().cwiseAbs().sum() / static_cast<double>(size()), 1e-100);
  for (double jitter = 1e-14 * scale; !factor_lower(factor_); jitter *= 100) {
    factor_ = original;
    factor_.diagonal().array() += jitter;
  }
  factor_.triangularView<Eigen::StrictlyUpper>().setZero();
}

void Cholesky::whiten_in_place(Eigen::Ref<Eigen::MatrixXd> b) const {
  constexpr Index kColumnsForInverse = 4;  // for each row: from there on a product with L^-1 is faster than a solve
  if (b.cols() > kColumnsForInverse * size()) return whiten_many_in_place(b);
  for (Index j = 0; j < size(); j += kFactorBlock) {
    const Index width = std::min(kFactorBlock, size() - j);
    const Index below = size() - j - width;
    for_each_tile(b.cols(), [&](Index first, Index length) {
      factor_.block(j, j, width, width).triangularView<Eigen::Lower>().solveInPlace(b.block(j, first, width, length));
    });
    add_product(b.bottomRows(below), -1, factor_.block(j + width, j, below, width), b.middleRows(j, width));
  }
}

void Cholesky::whiten_many_in_place(Eigen::Ref<Eigen::MatrixXd> b) const {
  Scratch scratch;
  auto inverse = take_matrix(scratch, size(), size());
  auto columns = take_matrix(scratch, size(), kProductTile);
  inverse.setIdentity();
  whiten_in_place(inverse);
  for_each_tile(b.cols(), [&](Index first, Index length) {
    columns.leftCols(length) = b.middleCols(first, length);
    set_product(b.middleCols(first, length), 1, inverse, columns.leftCols(length));
  });
}

void Cholesky::solve_in_place(Eigen::Ref<Eigen::MatrixXd> b) const {
  whiten_in_place(b);
  for (Index j = (size() - 1) / kFactorBlock * kFactorBlock; j >= 0; j -= kFactorBlock) {
    const Index width = std::min(kFactorBlock, size() - j);
    for_each_tile(b.cols(), [&](Index first, Index length) {
      factor_.block(j, j, width, width)
          .transpose()
          .triangularView<Eigen::Upper>()
          .solveInPlace(b.block(j, first, width, length));
    });
    add_product(b.topRows(j), -1, factor_.block(j, 0, width, j).transpose(), b.middleRows(j, width));
  }
}

void Cholesky::whiten_both_sides_in_place(Eigen::Ref<Eigen::MatrixXd> p) const {
  whiten_in_place(p);
  // The solve from the right treats rows independently, so that those above the diagonal are skipped.
  for (Index j = 0; j < size(); j += kFactorBlock) {
    const Index width = std::min(kFactorBlock, size() - j);
    solve_rows(factor_.block(j, j, width, width), p.block(j, j, size() - j, width));
    for (Index i = j + width; i < size(); i += kFactorBlock) {
      const Index columns = std::min(kFactorBlock, size() - i);
      add_product(p.block(i, i, size() - i, columns), -1, p.block(i, j, size() - i, width),
                  factor_.block(i, j, columns, width).transpose());
    }
  }
}

void Cholesky::colour(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> coloured) const {
  coloured.setZero();
  for (Index i = 0; i < size(); i += kProductTile) {
    const Index rows = std::min(kProductTile, size() - i);
    add_product(coloured.middleRows(i, rows), 1, factor_.block(i, 0, rows, i + rows), b.topRows(i + rows));
  }
}

bool is_positive_definite(const SquareMatrix& symmetric) {
  return Eigen::LLT<SquareMatrix>(symmetric).info() == Eigen::Success;
}

}  // namespace stad
