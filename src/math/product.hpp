#pragma once

#include <algorithm>

#include <Eigen/Core>

#include <stad/matrix.hpp>

namespace stad {

// Products a tile at a time. Eigen packs operands of up to 128 KB on the stack and takes larger ones from the heap;
// tiles of this size stay below and are nearly as fast. They also fix the order of the sums, which Eigen would choose
// by the sizes of the machine's caches.
inline constexpr Index kProductTile = 128;

enum class Part {
  kWhole,
  kLower  ///< what lies on and below the diagonal; above it, no promise
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

/// Makes S symmetric by what lies below its diagonal.
inline void mirror_lower(Eigen::Ref<Eigen::MatrixXd> s) {
  constexpr Index kBlock = 16;  // a cache line of each of the rows that become columns
  for (Index j = 0; j < s.cols(); j += kBlock)
    for (Index i = j; i < s.rows(); i += kBlock)
      for (Index column = j; column < std::min(j + kBlock, s.cols()); ++column)
        for (Index row = std::max(i, column + 1); row < std::min(i + kBlock, s.rows()); ++row)
          s(column, row) = s(row, column);
}

}  // namespace stad
