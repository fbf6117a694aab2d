#pragma once

#include <vector>

#include "safe/forgetting.hpp"

namespace stad::safe {

/// What fits none of the classes. The fit of a row is its cosine with the nearest source direction, which nothing that
/// is learned can move: prototypes would follow an unknown class until it fits. The median of the fits and a quantile
/// below it tell how rows of known classes fit, as long as most rows are of those; behind them lies a broad background,
/// of which rows are rarely until they show it. [safe-unknown]
class Background {
 public:
  Background();

  /// Learns how a row fits, and returns the probability that it is of none of the classes.
  double observe(double fit);
  /// The same as things stand.
  double unknown(double fit) const;

  template <typename Visitor>
  void visit(Visitor&& visit) {
    visit.numbers("fits", fits_, 0, 1e9);
    visit.mean("share", share_);
  }

 private:
  static constexpr double kFirstShare = 0.01;

  double quantile(double share_below) const;

  std::vector<double> fits_;                                      ///< fading counts of fits from -1 to 1, in even bins
  MovingMean share_ = MovingMean::starting_at(kFirstShare, 100);  ///< of rows that are of none of the classes
};

}  // namespace stad::safe
