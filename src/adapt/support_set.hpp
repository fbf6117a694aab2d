#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/eigen.hpp"

namespace stad {

/// The supports of one class: the `capacity` unit directions of lowest entropy and, among equals, the earliest. One
/// buffer holds them, a heap orders them for eviction, and their sum is maintained, so that a support costs
/// O(D + log capacity).
class SupportSet {
 public:
  SupportSet(Index capacity, Index dimension);

  Index size() const { return static_cast<Index>(ranks_.size()); }
  /// Whether a support of this entropy would be kept.
  bool accepts(double entropy) const { return size() < capacity_ || entropy < ranks_.front().entropy; }
  /// Adds an accepted support; a full set evicts its last one.
  void add(double entropy, std::span<const float> direction);

  /// A positive multiple of the sum of the directions, D. The same directions give the same bits, whatever was added
  /// and dropped on the way.
  std::span<const std::int64_t> scaled_sum() const { return sum_; }

  /// Lowest entropy first and, among equals, the earliest first.
  struct Sorted {
    FloatRows directions;
    std::vector<double> entropies;
  };
  Sorted sorted() const;

 private:
  struct Rank {
    double entropy;
    std::uint64_t arrival;
    Index place;  ///< in directions_

    bool operator<(const Rank& other) const {
      return entropy != other.entropy ? entropy < other.entropy : arrival < other.arrival;
    }
  };

  std::span<float> direction(Index place);
  /// Fixed point: integers add and subtract without rounding, so the sum does not drift on long streams.
  void add_to_sum(std::span<const float> direction, std::int64_t sign);

  Index capacity_;
  double scale_;  ///< fixed-point scale, as fine as the sum of `capacity` unit vectors allows
  std::uint64_t arrivals_ = 0;
  std::vector<Rank> ranks_;        ///< a heap, the last to keep on top
  std::vector<float> directions_;  ///< size x D
  std::vector<std::int64_t> sum_;  ///< D
};

}  // namespace stad
