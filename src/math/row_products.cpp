#include "math/row_products.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/scratch.hpp"
#include "math/vector_lanes.hpp"

namespace stad {
namespace {

/// Lane j of the result is the sum of the lanes of sums[j]. Each round halves the number of vectors: it combines two
/// vectors into one that holds the partial sums of both in half as many lanes each.
template <typename Scalar, Index... lane>
[[gnu::always_inline]] inline Lanes<Scalar> sum_each(Lanes<Scalar>* sums, std::integer_sequence<Index, lane...>) {
  const auto fold = [&]<Index half>(std::integral_constant<Index, half>) {
    for (Index j = 0; j < half; ++j) {
      const Lanes<Scalar> low = __builtin_shufflevector(
          sums[j], sums[j + half], (lane / half % 2 * kLanes<Scalar> + lane / (2 * half) * 2 * half + lane % half)...);
      const Lanes<Scalar> high = __builtin_shufflevector(
          sums[j], sums[j + half],
          (lane / half % 2 * kLanes<Scalar> + lane / (2 * half) * 2 * half + lane % half + half)...);
      sums[j] = low + high;
    }
  };
  if constexpr (kLanes<Scalar> >= 16) fold(std::integral_constant<Index, 8>{});
  if constexpr (kLanes<Scalar> >= 8) fold(std::integral_constant<Index, 4>{});
  if constexpr (kLanes<Scalar> >= 4) fold(std::integral_constant<Index, 2>{});
  fold(std::integral_constant<Index, 1>{});
  return sums[0];
}

template <typename Scalar>
[[gnu::always_inline]] inline Lanes<Scalar> sum_each(Lanes<Scalar>* sums) {
  return sum_each<Scalar>(sums, std::make_integer_sequence<Index, kLanes<Scalar>>{});
}

/// One tile of the product, with as many sums as a vector has lanes. Repeats the last row beyond the edge.
template <Index kA, typename Scalar>
void multiply_tile(const Scalar* const* a, Index a_rows, const Scalar* const* b, Index b_rows, Index dimension,
                   Scalar* const* out, Index column) {
  constexpr Index kB = kLanes<Scalar> / kA;
  std::array<const Scalar*, kA> left;
  std::array<const Scalar*, kB> right;
  for (Index i = 0; i < kA; ++i) left[i] = a[std::min(i, a_rows - 1)];
  for (Index j = 0; j < kB; ++j) right[j] = b[std::min(j, b_rows - 1)];

  Lanes<Scalar> sums[kLanes<Scalar>];  // set by the first values; clearing them would go through memory
  const auto add = [&]<bool kFirst>(std::bool_constant<kFirst>, const auto& read) {
    Lanes<Scalar> values[kB];
    for (Index j = 0; j < kB; ++j) values[j] = read(right[j]);
    for (Index i = 0; i < kA; ++i) {
      const Lanes<Scalar> value = read(left[i]);
      for (Index j = 0; j < kB; ++j)
        sums[i * kB + j] = kFirst ? value * values[j] : sums[i * kB + j] + value * values[j];
    }
  };
  const auto read_tail = [&](const Scalar* row) {
    const Index whole = dimension / kLanes<Scalar> * kLanes<Scalar>;
    return load_some(row + whole, dimension - whole);
  };
  if (dimension < kLanes<Scalar>) {
    add(std::true_type{}, read_tail);
  } else {
    add(std::true_type{}, [](const Scalar* row) { return load(row); });
    for (Index d = kLanes<Scalar>; d + kLanes<Scalar> <= dimension; d += kLanes<Scalar>)
      add(std::false_type{}, [d](const Scalar* row) { return load(row + d); });
    if (dimension % kLanes<Scalar> != 0) add(std::false_type{}, read_tail);
  }

  std::array<Scalar, kLanes<Scalar>> results;
  store<Scalar>(sum_each<Scalar>(sums), results.data());
  for (Index i = 0; i < kA && i < a_rows; ++i) {
    if (b_rows >= kB)
      std::memcpy(out[i] + column, &results[i * kB], kB * sizeof(Scalar));
    else
      std::copy_n(&results[i * kB], b_rows, out[i] + column);
  }
}

template <Index kA, typename Scalar>
void multiply_rows(std::span<const Scalar* const> a, std::span<const Scalar* const> b, Index dimension,
                   Scalar* const* out) {
  constexpr Index kB = kLanes<Scalar> / kA;
  const auto b_rows = static_cast<Index>(b.size());
  for (Index column = 0; column < b_rows; column += kB)
    multiply_tile<kA>(a.data(), static_cast<Index>(a.size()), b.data() + column, b_rows - column, dimension, out,
                      column);
}

/// Calls work(height, first row) with the tile height that suits the remaining rows of a and the number of rows of b.
template <typename Scalar, typename Work>
void tile_heights(Index a_rows, Index b_rows, const Work& work) {
  constexpr Index kSquare = kLanes<Scalar> >= 16 ? 4 : 2;
  for (Index first = 0; first < a_rows;) {
    const Index left = a_rows - first;
    Index height = kSquare;
    while (height < kLanes<Scalar> && kLanes<Scalar> / (2 * height) >= b_rows) height *= 2;
    while (height > left && height > 1) height /= 2;
    work(height, first);
    first += height;
  }
}

/// kSums weighted sums over the same rows, kVectors vectors of each, with kApart independent partial sums to hide the
/// latency of additions. There must be at least kApart rows.
template <Index kSums, Index kVectors, Index kApart, typename Scalar>
void sum_strip(const Scalar* const* weights, const Scalar* const* rows, Index count, Index d, Scalar* const* out) {
  Lanes<Scalar> sums[kApart][kSums][kVectors];
  const auto add = [&]<bool kFirst>(std::bool_constant<kFirst>, Index n, Lanes<Scalar>(&to)[kSums][kVectors]) {
    Lanes<Scalar> values[kVectors];
    for (Index v = 0; v < kVectors; ++v) values[v] = load(rows[n] + d + v * kLanes<Scalar>);
    for (Index c = 0; c < kSums; ++c)
      for (Index v = 0; v < kVectors; ++v)
        to[c][v] = kFirst ? weights[c][n] * values[v] : to[c][v] + weights[c][n] * values[v];
  };
  for (Index apart = 0; apart < kApart; ++apart) add(std::true_type{}, apart, sums[apart]);
  Index n = kApart;
  for (; n + kApart <= count; n += kApart)
    for (Index apart = 0; apart < kApart; ++apart) add(std::false_type{}, n + apart, sums[apart]);
  for (; n < count; ++n) add(std::false_type{}, n, sums[0]);
  for (Index c = 0; c < kSums; ++c)
    for (Index v = 0; v < kVectors; ++v) {
      Lanes<Scalar> sum = sums[0][c][v];
      for (Index apart = 1; apart < kApart; ++apart) sum += sums[apart][c][v];
      store<Scalar>(sum, out[c] + d + v * kLanes<Scalar>);
    }
}

template <typename Scalar>
void sum_tail(const Scalar* weights, const Scalar* const* rows, Index count, Index d, Index left, Scalar* out) {
  Lanes<Scalar> sum{};
  for (Index n = 0; n < count; ++n) sum += weights[n] * load_some(rows[n] + d, left);
  store_some<Scalar>(sum, out + d, left);
}

/// The whole dimension, in strips of at most sixteen sums, which fit the registers.
template <Index kSums, Index kMostApart, typename Scalar>
void sum_rows_apart(const Scalar* const* weights, const Scalar* const* rows, Index count, Index dimension,
                    Scalar* const* out) {
  constexpr Index kWide = std::min<Index>(8, 16 / kSums);
  constexpr Index kApart = std::min(kMostApart, 8 / kSums);
  Index d = 0;
  for (; d + kWide * kLanes<Scalar> <= dimension; d += kWide * kLanes<Scalar>)
    sum_strip<kSums, kWide, std::min(kApart, 16 / (kSums * kWide))>(weights, rows, count, d, out);
  for (; d + 2 * kLanes<Scalar> <= dimension; d += 2 * kLanes<Scalar>)
    sum_strip<kSums, 2, kApart>(weights, rows, count, d, out);
  for (; d + kLanes<Scalar> <= dimension; d += kLanes<Scalar>)
    sum_strip<kSums, 1, kApart>(weights, rows, count, d, out);
  if (d == dimension) return;
  for (Index c = 0; c < kSums; ++c) sum_tail(weights[c], rows, count, d, dimension - d, out[c]);
}

template <Index kSums, typename Scalar>
void sum_rows(const Scalar* const* weights, const Scalar* const* rows, Index count, Index dimension,
              Scalar* const* out) {
  if (count >= 8) return sum_rows_apart<kSums, 8>(weights, rows, count, dimension, out);
  if (count >= 1) return sum_rows_apart<kSums, 1>(weights, rows, count, dimension, out);
  for (Index c = 0; c < kSums; ++c) std::fill_n(out[c], dimension, Scalar{0});
}

Index count_nonzero(const auto* values, Index count) {
  std::uint32_t found = 0;  // 32 bits, so that the loop uses full vectors
  for (Index n = 0; n < count; ++n) found += static_cast<std::uint32_t>(values[n] != 0);
  return static_cast<Index>(found);
}

/// Weighted sum of the few rows whose weight is not zero.
template <typename Scalar>
void sum_few(const Scalar* weights, std::span<const Scalar* const> rows, Index few, Index dimension, Scalar* out) {
  Scratch scratch;
  const auto kept_weights = scratch.take<Scalar>(few);
  const auto kept_rows = scratch.take<const Scalar*>(few);
  Index kept = 0;
  for (std::size_t n = 0; kept < few; ++n) {
    if (weights[n] == 0) continue;
    kept_weights[kept] = weights[n];
    kept_rows[kept++] = rows[n];
  }
  const Scalar* const each = kept_weights.data();
  sum_rows<1>(&each, kept_rows.data(), few, dimension, &out);
}

}  // namespace

template <typename Scalar>
void inner_products(std::span<const Scalar* const> a, std::span<const Scalar* const> b, Index dimension,
                    std::span<Scalar* const> out) {
  if (b.empty()) return;
  tile_heights<Scalar>(static_cast<Index>(a.size()), static_cast<Index>(b.size()), [&](Index height, Index first) {
    const auto rows = a.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(height));
    Scalar* const* to = out.data() + first;
    if (height == 1) return multiply_rows<1>(rows, b, dimension, to);
    if (height == 2) return multiply_rows<2>(rows, b, dimension, to);
    if constexpr (kLanes<Scalar> >= 4)
      if (height == 4) return multiply_rows<4>(rows, b, dimension, to);
    if constexpr (kLanes<Scalar> >= 8)
      if (height == 8) return multiply_rows<8>(rows, b, dimension, to);
    if constexpr (kLanes<Scalar> >= 16) return multiply_rows<16>(rows, b, dimension, to);
  });
}

template <typename Scalar>
void weighted_sums(std::span<const Scalar* const> weights, std::span<const Scalar* const> rows, Index dimension,
                   std::span<Scalar* const> out) {
  const auto count = static_cast<Index>(rows.size());
  // Four sums at once read every row once and take about as long as two separate ones.
  const Scalar* many_weights[4];
  Scalar* many_out[4];
  Index many = 0;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const Index few = count_nonzero(weights[c], count);
    if (2 * few < count) {
      sum_few(weights[c], rows, few, dimension, out[c]);
      continue;
    }
    many_weights[many] = weights[c];
    many_out[many++] = out[c];
    if (many < 4) continue;
    sum_rows<4>(many_weights, rows.data(), count, dimension, many_out);
    many = 0;
  }
  if (many >= 2) sum_rows<2>(many_weights, rows.data(), count, dimension, many_out);
  if (many % 2 == 1) sum_rows<1>(many_weights + many - 1, rows.data(), count, dimension, many_out + many - 1);
}

template void inner_products(std::span<const float* const>, std::span<const float* const>, Index,
                             std::span<float* const>);
template void inner_products(std::span<const double* const>, std::span<const double* const>, Index,
                             std::span<double* const>);
template void weighted_sums(std::span<const float* const>, std::span<const float* const>, Index,
                            std::span<float* const>);
template void weighted_sums(std::span<const double* const>, std::span<const double* const>, Index,
                            std::span<double* const>);

}  // namespace stad
