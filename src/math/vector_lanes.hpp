#pragma once

#include <cstring>
#include <utility>

#include <stad/matrix.hpp>

namespace stad {

// The widest vectors of the target instruction set, as vector extensions of the compiler, so that one source serves all
// levels of processors.
#if defined(__AVX512F__)
inline constexpr Index kVectorBytes = 64;
#elif defined(__AVX__)
inline constexpr Index kVectorBytes = 32;
#else
inline constexpr Index kVectorBytes = 16;
#endif

template <typename Scalar>
inline constexpr Index kLanes = kVectorBytes / static_cast<Index>(sizeof(Scalar));

template <typename Scalar>
struct VectorOf {
  using Type [[gnu::vector_size(kVectorBytes)]] = Scalar;
};
template <typename Scalar>
using Lanes = typename VectorOf<Scalar>::Type;

template <typename Scalar>
Lanes<Scalar> load(const Scalar* from) {
  Lanes<Scalar> lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

/// Loads the first `count` lanes; the others are zero.
template <typename Scalar>
Lanes<Scalar> load_some(const Scalar* from, Index count) {
  Lanes<Scalar> lanes{};
  std::memcpy(&lanes, from, static_cast<std::size_t>(count) * sizeof(Scalar));
  return lanes;
}

template <typename Scalar>
void store(Lanes<Scalar> lanes, Scalar* to) {
  std::memcpy(to, &lanes, sizeof(lanes));
}

template <typename Scalar>
void store_some(Lanes<Scalar> lanes, Scalar* to, Index count) {
  std::memcpy(to, &lanes, static_cast<std::size_t>(count) * sizeof(Scalar));
}

/// Adds lane l ^ half to every lane l.
template <typename Scalar, Index half, Index... lane>
Lanes<Scalar> fold_lanes(Lanes<Scalar> lanes, std::integer_sequence<Index, lane...>) {
  return lanes + __builtin_shufflevector(lanes, lanes, (lane ^ half)...);
}

/// The sum of all lanes by pairwise folding.
template <typename Scalar>
Scalar sum_lanes(Lanes<Scalar> lanes) {
  constexpr std::make_integer_sequence<Index, kLanes<Scalar>> kAll{};
  if constexpr (kLanes<Scalar> >= 16) lanes = fold_lanes<Scalar, 8>(lanes, kAll);
  if constexpr (kLanes<Scalar> >= 8) lanes = fold_lanes<Scalar, 4>(lanes, kAll);
  if constexpr (kLanes<Scalar> >= 4) lanes = fold_lanes<Scalar, 2>(lanes, kAll);
  return fold_lanes<Scalar, 1>(lanes, kAll)[0];
}

}  // namespace stad
