#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <stad/export.hpp>

namespace stad {

/// Seeded random numbers that are the same everywhere: the standard fixes mt19937_64's output but leaves its
/// distributions and std::shuffle to each library, so those are ours. Exported for libstad-eval; not part of the public
/// API.
class STAD_API Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform();                              ///< [0, 1)
  double normal();                               ///< mean 0, variance 1
  std::uint64_t below(std::uint64_t exclusive);  ///< 0 .. exclusive - 1, unbiased

  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[below(left)]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace stad
