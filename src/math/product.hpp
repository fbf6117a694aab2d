#pragma once

#include <algorithm>

#include <Eigen/Core>

#include <stad/matrix.hpp>

namespace stad {

// Tiled products. Eigen packs operands of up to 128 KB on the stack and larger ones on the heap; tiles of this size
// stay on the stack and are nearly as fast. They also fix the order of the sums, which Eigen would derive from the
// cache sizes of the machine.
inline constexpr Index kProductTile = 128;

enum class Part {
  kWhole,
  kLower  ///< on and below the diagonal; values above are undefined
};

/// C += factor A B
template <typename A, typename B>
void add_product(Eigen::Ref<Eigen::MatrixXd> c, double factor, const Eigen::MatrixBase<A>& a,
                 const Eigen::MatrixBase<B>& b, Part part = Part::kWhole) {
  const auto length = [](Index first, Index end) { return std::min(kProductTile, end - first); };
  for (Index k = 0; k < a.cols(); k += kProductTile)
    for (Index j = 0; j < c.cols(); j += kProductTile)
      for (Index i = part == Part::kLower ? j : 0; i < c.rows(); i += kProductTile) {
        const Index depth = length(k, a.cols());
        const Index rows = length(i, c.rows());
        const Index cols = length(j, c.cols());
        c.block(i, j, rows, cols).noalias() += factor * (a.block(i, k, rows, depth) * b.block(k, j, depth, cols));
      }
}

/// C = factor A B
template <typename A, typename B>
void set_product(Eigen::Ref<Eigen::MatrixXd> c, double factor, const Eigen::MatrixBase<A>& a,
                 const Eigen::MatrixBase<B>& b, Part part = Part::kWhole) {
  c.setZero();
  add_product(c, factor, a, b, part);
}

/// Copies the values below the diagonal of S to those above.
inline void mirror_lower(Eigen::Ref<Eigen::MatrixXd> s) {
  constexpr Index kBlock = 16;  // values of a cache line of each row that is written
  for (Index j = 0; j < s.cols(); j += kBlock)
    for (Index i = j; i < s.rows(); i += kBlock)
      for (Index column = j; column < std::min(j + kBlock, s.cols()); ++column)
        for (Index row = std::max(i, column + 1); row < std::min(i + kBlock, s.rows()); ++row)
          s(column, row) = s(row, column);
}

}  // namespace stad
