#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <stad/export.hpp>

namespace stad {

/// Seeded random numbers that are identical on all platforms. The standard specifies the output of mt19937_64 but not
/// that of its distributions and std::shuffle, so those are implemented here. Exported for libstad-eval; not part of
/// the public API.
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
