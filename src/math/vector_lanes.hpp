#pragma once

#include <cstring>

#include <stad/index.hpp>

namespace stad {

// The widest vectors of the instruction set this is compiled for, by the compiler's own vector types: one source for
// every level of the processor.
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
  typedef Scalar Type __attribute__((vector_size(kVectorBytes)));  // an alias would lose the attribute
};
template <typename Scalar>
using Lanes = typename VectorOf<Scalar>::Type;

template <typename Scalar>
Lanes<Scalar> load(const Scalar* from) {
  Lanes<Scalar> lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

/// The first `count` lanes, the others zero.
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

/// The sum of all lanes, halves onto halves.
template <typename Scalar>
Scalar sum_lanes(Lanes<Scalar> lanes) {
  Scalar values[kLanes<Scalar>];
  store<Scalar>(lanes, values);
  for (Index half = kLanes<Scalar> / 2; half > 0; half /= 2)
    for (Index lane = 0; lane < half; ++lane) values[lane] += values[lane + half];
  return values[0];
}

}  // namespace stad
