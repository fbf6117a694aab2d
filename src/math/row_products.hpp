#pragma once

#include <span>

#include <stad/matrix.hpp>

namespace stad {

// Products of rows that lie anywhere in memory, each given by its address. By hand, because the library's general
// product packs both operands first, which costs as much as the product itself where one side has few rows, needs
// both sides contiguous, and allocates. Here the order of every sum depends on the dimension alone: the same two rows
// give the same bits whatever stands beside them.

/// out[i][j] = a_i . b_j. For float and double.
template <typename Scalar>
void inner_products(std::span<const Scalar* const> a, std::span<const Scalar* const> b, Index dimension,
                    std::span<Scalar* const> out);

/// out[c] = sum_n weights[c][n] rows_n, for some sums over the same rows. Zeros cost little. For float and double.
template <typename Scalar>
void weighted_sums(std::span<const Scalar* const> weights, std::span<const Scalar* const> rows, Index dimension,
                   std::span<Scalar* const> out);

}  // namespace stad
