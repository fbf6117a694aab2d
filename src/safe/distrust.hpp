#pragma once

#include <stad/matrix.hpp>

namespace stad::safe {

/// Falling back that persists. Where prototypes have not been believed for thousands of rows, what they have learned
/// was learned from rows that they could not tell apart; should they be believed again, they shall start from the
/// source and not from that. Nobody notices the start: the source answers meanwhile. [safe-restart]
class Distrust {
 public:
  /// How far prototypes are believed, from 0 to 1, over so many rows. True if they are to start again.
  bool observe(double believed, Index rows) {
    rows_ = believed < kHardlyBelieved ? rows_ + static_cast<double>(rows) : 0;
    if (rows_ < kLongTime) return false;
    rows_ = 0;
    return true;
  }

  template <typename Visitor>
  void visit(Visitor&& visit) {
    visit.number("rows", rows_, 0, kLongTime);
  }

 private:
  static constexpr double kHardlyBelieved = 0.1;
  static constexpr double kLongTime = 3000;  // rows

  double rows_ = 0;  ///< for which they have hardly been believed
};

}  // namespace stad::safe
