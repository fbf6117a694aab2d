#include "safe/remembered_rows.hpp"

#include <algorithm>
#include <cmath>

namespace stad::safe {

RememberedRows::RememberedRows(Index classes, Index dimension) : classes_(classes), dimension_(dimension) {}

void RememberedRows::prepare() {
  if (in_use()) return;
  constexpr auto kPlaces = static_cast<std::size_t>(kMost);
  rows_ = FloatRows::Zero(kMost, dimension_);
  responsibilities_ = FloatRows::Zero(kMost, classes_);
  heard_then_ = DoubleRows::Zero(kMost, classes_);
  heard_.assign(static_cast<std::size_t>(classes_), 0.0);
  faded_then_.assign(kPlaces, 0.0);
  ids_.assign(kPlaces, 0);
  source_.assign(kPlaces, kNone);
  mixture_.assign(kPlaces, kNone);
  adapted_.assign(kPlaces, kNone);
  labels_.assign(kPlaces, kNone);
}

void RememberedRows::remember(std::span<const std::int64_t> ids, const ConstRows& rows,
                              const ConstRows& responsibilities) {
  prepare();
  for (Index n = std::max<Index>(rows.rows() - kMost, 0); n < rows.rows(); ++n) {
    newest_ = slot_after(newest_);
    rows_.row(newest_) = rows.row(n);
    responsibilities_.row(newest_) = responsibilities.row(n);
    std::ranges::copy(heard_, row_of(heard_then_, newest_).begin());
    faded_then_[newest_] = faded_;
    ids_[newest_] = ids[n];
    source_[newest_] = kNone;
    labels_[newest_] = kNone;
  }
}

void RememberedRows::note(std::span<const Opinions> opinions) {
  const auto count = static_cast<Index>(opinions.size());
  for (Index back = 0; back < std::min(count, kMost); ++back) {
    const Index place = (newest_ - back + kMost) % kMost;
    const Opinions& said = opinions[count - 1 - back];
    source_[place] = said.source;
    mixture_[place] = said.mixture;
    adapted_[place] = said.adapted;
  }
}

void RememberedRows::hear(const ConstRows& responsibilities) {
  if (!in_use()) return;
  for (Index n = 0; n < responsibilities.rows(); ++n)
    as_array(std::span(heard_)) += responsibilities.row(n).transpose().array().cast<double>();
}

void RememberedRows::fade(double share) {
  constexpr double kLeastShare = 1e-300;  // after which nothing is left
  if (in_use()) faded_ += std::log(std::max(share, kLeastShare));
}

Index RememberedRows::find(std::int64_t id) const {
  if (!in_use()) return kNone;
  for (Index back = 0; back < kMost; ++back) {
    const Index place = (newest_ - back + kMost) % kMost;
    if (ids_[place] == id && source_[place] != kNone) return place;
  }
  return kNone;
}

double RememberedRows::heard_since(Index place, Index k) const {
  return std::max(heard_[k] - heard_then_(place, k), 0.0);
}

double RememberedRows::kept_since(Index place) const { return std::exp(std::min(faded_ - faded_then_[place], 0.0)); }

}  // namespace stad::safe
