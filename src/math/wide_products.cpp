#include "math/wide_products.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.hpp"

namespace stad {
namespace {

constexpr Index kLanes = 8;
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));

// As many sums at once as fit the registers: each value loaded then serves kTile products.
#if defined(__AVX512F__)
constexpr Index kTile = 4;
#else
constexpr Index kTile = 2;
#endif

// Vectors go by reference: how one is passed by value depends on the machine, and compilers warn of it.

inline void load(const double* values, Lanes& lanes) { std::memcpy(&lanes, values, sizeof lanes); }

inline void load(const float* values, Lanes& lanes) {
  // Written out, for which g++ has one instruction; it takes four for __builtin_convertvector.
  lanes = Lanes{values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7]};
}

/// The last values of a row, with zeros behind them.
template <typename Scalar>
void load_tail(const Scalar* values, Index count, Lanes& lanes) {
  std::array<Scalar, kLanes> padded{};
  std::copy_n(values, count, padded.begin());
  load(padded.data(), lanes);
}

inline double sum(const Lanes& lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// R x C inner products of neighbouring rows. The order of each sum is that of the lanes, whatever R and C.
template <Index R, Index C, typename A, typename B>
void products_of_tile(RowsView<A> a, RowsView<B> b, double* out, Index out_stride) {
  Lanes sums[R][C] = {};
  const auto add = [&](const auto& load_lanes) {
    Lanes left[R];
    Lanes right;
#pragma GCC unroll 4
    for (Index r = 0; r < R; ++r) load_lanes(a.data + r * a.stride, left[r]);
#pragma GCC unroll 4
    for (Index c = 0; c < C; ++c) {
      load_lanes(b.data + c * b.stride, right);
#pragma GCC unroll 4
      for (Index r = 0; r < R; ++r) sums[r][c] += left[r] * right;
    }
  };
  const Index whole = a.cols / kLanes * kLanes;
  for (Index i = 0; i < whole; i += kLanes) add([i](const auto* row, Lanes& lanes) { load(row + i, lanes); });
  if (whole < a.cols) add([&](const auto* row, Lanes& lanes) { load_tail(row + whole, a.cols - whole, lanes); });
  for (Index r = 0; r < R; ++r)
    for (Index c = 0; c < C; ++c) out[r * out_stride + c] = sum(sums[r][c]);
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
  // B a few rows at a time, so that they stay in the nearest cache while all of A passes by.
  constexpr Index kNearest = 2048;
  const Index block = std::max<Index>(kTile, kNearest / std::max<Index>(1, b.cols) / kTile * kTile);
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
