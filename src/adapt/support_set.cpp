#include "adapt/support_set.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace stad {

// A float32 of magnitude m is a whole multiple of m 2^-24. With at most 2^b supports, components in units of 2^-(62-b)
// cannot overflow, and for the default of 100 all components above 2^-31 are exact; smaller ones lose less than 2^-55.
SupportSet::SupportSet(Index capacity, Index dimension)
    : capacity_(capacity),
      scale_(std::ldexp(1.0, 62 - static_cast<int>(std::bit_width(static_cast<std::size_t>(capacity))))),
      sum_(static_cast<std::size_t>(dimension), 0) {}

void SupportSet::add(double entropy, std::span<const float> direction) {
  Index place = size();
  if (size() < capacity_) {
    directions_.insert(directions_.end(), direction.begin(), direction.end());
  } else {
    place = ranks_.front().place;
    std::pop_heap(ranks_.begin(), ranks_.end());
    ranks_.pop_back();
    add_to_sum(this->direction(place), -1);
    std::copy(direction.begin(), direction.end(), this->direction(place).begin());
  }
  ranks_.push_back({entropy, arrivals_++, place});
  std::push_heap(ranks_.begin(), ranks_.end());
  add_to_sum(direction, 1);
}

SupportSet::Sorted SupportSet::sorted() const {
  std::vector<Rank> ranks = ranks_;
  std::sort(ranks.begin(), ranks.end());
  const auto dimension = static_cast<Index>(sum_.size());
  Sorted result{FloatRows(size(), dimension), {}};
  for (const Rank& rank : ranks) {
    std::copy_n(directions_.begin() + rank.place * dimension, dimension,
                row_of(result.directions, static_cast<Index>(result.entropies.size())).begin());
    result.entropies.push_back(rank.entropy);
  }
  return result;
}

std::span<float> SupportSet::direction(Index place) {
  return std::span(directions_).subspan(static_cast<std::size_t>(place) * sum_.size(), sum_.size());
}

void SupportSet::add_to_sum(std::span<const float> direction, std::int64_t sign) {
  for (std::size_t i = 0; i < sum_.size(); ++i)
    sum_[i] += sign * static_cast<std::int64_t>(static_cast<double>(direction[i]) * scale_);
}

}  // namespace stad
