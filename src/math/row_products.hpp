#pragma once

#include <span>

#include <stad/matrix.hpp>

namespace stad {

// Products of rows given by their addresses. Eigen's general product packs both operands, which costs as much as the
// product itself if one side has few rows, needs contiguous operands, and allocates. Here the order of every sum
// depends on the dimension alone, so that two rows give the same bits in any context.

/// out[i][j] = a_i . b_j. For float and double.
template <typename Scalar>
void inner_products(std::span<const Scalar* const> a, std::span<const Scalar* const> b, Index dimension,
                    std::span<Scalar* const> out);

/// out[c] = sum_n weights[c][n] rows_n. Rows of weight zero are skipped if they are the majority. For float and double.
template <typename Scalar>
void weighted_sums(std::span<const Scalar* const> weights, std::span<const Scalar* const> rows, Index dimension,
                   std::span<Scalar* const> out);

}  // namespace stad
