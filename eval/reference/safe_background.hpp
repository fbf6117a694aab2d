#pragma once

#include <Eigen/Core>

#include "reference/safe_judges.hpp"

namespace stad::reference {

/// How rows fit the nearest source direction, and how likely one is of none of the classes.
struct BackgroundJudge {
  Eigen::VectorXd fits = Eigen::VectorXd::Zero(128);  ///< fading counts, from -1 to 1
  FadingMean share{.sum = 0.01 * 100, .weight = 100};

  double observe(double fit);
  double unknown(double fit) const;
  /// The fit that this share of the rows is below.
  double quantile(double below) const;
};

}  // namespace stad::reference
