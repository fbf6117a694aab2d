#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "safe/forgetting.hpp"

namespace stad::safe {

/// What prototypes keep across a gap in time. Over the usual gap between two time stamps they fade as rows come in and
/// no further, so that even steps, and a stream without times, are the same; over a gap of g usual ones the transition
/// has taken g - 1 steps that nobody saw, and a prototype's mean length is the power of that.
class Clock {
 public:
  /// Returns the share that prototypes keep.
  double advance(std::optional<double> time) {
    if (!time) return 1;
    const double gap = last_ ? *time - *last_ : 0;
    last_ = time;
    if (!(gap > 0)) return 1;  // the same stamp, or time that ran backwards
    const double usual = gaps_ > 0 ? total_ / gaps_ : gap;
    // The usual gap is that of the last few stamps.
    const double keep = kept(1, kRememberedGaps);
    total_ = keep * total_ + std::min(gap, kLongestGap * usual);
    gaps_ = keep * gaps_ + 1;
    return std::pow(kKeptOverGap, std::max(gap / usual - 1, 0.0));
  }

  template <typename Visitor>
  void visit(Visitor&& visit) {
    visit.time("last", last_);
    visit.number("total", total_, 0, kLongestTotal);
    visit.number("gaps", gaps_, 0, 1e3);
  }

 private:
  static constexpr double kKeptOverGap = 0.9;
  static constexpr double kRememberedGaps = 10;
  static constexpr double kLongestGap = 3;  // of the usual ones: one pause shall not become the rule
  static constexpr double kLongestTotal = 1e300;

  std::optional<double> last_;
  double total_ = 0;
  double gaps_ = 0;
};

}  // namespace stad::safe
