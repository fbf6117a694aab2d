#include "math/wide_products.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.hpp"

namespace stad {
namespace {

constexpr Index kWideLanes = 8;
using WideLanes = double __attribute__((vector_size(kWideLanes * sizeof(double))));

// Rows of a tile, so that its sums fit the registers: each loaded value is used in kTile products.
#if defined(__AVX512F__)
constexpr Index kTile = 4;
#else
constexpr Index kTile = 2;
#endif

// Vectors are passed by reference, because passing them by value depends on the instruction set.

inline void load_lanes(const double* values, WideLanes& lanes) { std::memcpy(&lanes, values, sizeof lanes); }

inline void load_lanes(const float* values, WideLanes& lanes) {
  // g++ compiles this to one instruction, and __builtin_convertvector to four.
  lanes = WideLanes{values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7]};
}

/// The last values of a row, padded with zeros.
template <typename Scalar>
void load_tail(const Scalar* values, Index count, WideLanes& lanes) {
  std::array<Scalar, kWideLanes> padded{};
  std::copy_n(values, count, padded.begin());
  load_lanes(padded.data(), lanes);
}

inline double sum_of_lanes(const WideLanes& lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// R x C inner products of consecutive rows. The order of each sum does not depend on R and C.
template <Index R, Index C, typename A, typename B>
void products_of_tile(RowsView<A> a, RowsView<B> b, double* out, Index out_stride) {
  WideLanes sums[R][C] = {};
  const auto add = [&](const auto& load_row) {
    WideLanes left[R];
    WideLanes right;
#pragma GCC unroll 4
    for (Index r = 0; r < R; ++r) load_row(a.data + r * a.stride, left[r]);
#pragma GCC unroll 4
    for (Index c = 0; c < C; ++c) {
      load_row(b.data + c * b.stride, right);
#pragma GCC unroll 4
      for (Index r = 0; r < R; ++r) sums[r][c] += left[r] * right;
    }
  };
  const Index whole = a.cols / kWideLanes * kWideLanes;
  for (Index i = 0; i < whole; i += kWideLanes)
    add([i](const auto* row, WideLanes& lanes) { load_lanes(row + i, lanes); });
  if (whole < a.cols) add([&](const auto* row, WideLanes& lanes) { load_tail(row + whole, a.cols - whole, lanes); });
  for (Index r = 0; r < R; ++r)
    for (Index c = 0; c < C; ++c) out[r * out_stride + c] = sum_of_lanes(sums[r][c]);
}

template <Index R, typename A, typename B>
void products_of_rows(RowsView<A> a, RowsView<B> b, double* out, Index out_stride) {
  Index c = 0;
  for (; c + kTile <= b.rows; c += kTile) products_of_tile<R, kTile>(a, b.rows_from(c, kTile), out + c, out_stride);
  for (; c < b.rows; ++c) products_of_tile<R, 1>(a, b.rows_from(c, 1), out + c, out_stride);
}

}  // namespace

template <typename A, typename B>
void wide_products(RowsView<A> a, RowsView<B> b, Eigen::Map<DoubleRows> products) {
  STAD_CHECK(a.cols == b.cols && products.rows() == a.rows && products.cols() == b.rows);
  // Processes B in blocks of rows that stay in the first-level cache while all of A is read.
  constexpr Index kCachedValues = 2048;
  const Index block = std::max<Index>(kTile, kCachedValues / std::max<Index>(1, b.cols) / kTile * kTile);
  for (Index first = 0; first < b.rows; first += block) {
    const auto columns = b.rows_from(first, std::min(block, b.rows - first));
    double* const out = products.data() + first;
    Index r = 0;
    for (; r + kTile <= a.rows; r += kTile)
      products_of_rows<kTile>(a.rows_from(r, kTile), columns, out + r * products.cols(), products.cols());
    for (; r < a.rows; ++r) products_of_rows<1>(a.rows_from(r, 1), columns, out + r * products.cols(), products.cols());
  }
}

template void wide_products(RowsView<float>, RowsView<float>, Eigen::Map<DoubleRows>);
template void wide_products(RowsView<float>, RowsView<double>, Eigen::Map<DoubleRows>);
template void wide_products(RowsView<double>, RowsView<double>, Eigen::Map<DoubleRows>);

}  // namespace stad
