#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include <stad/matrix.hpp>

namespace stad::reference {

/// Detects chunks of 64 rows that fit the prototypes far worse than those before them.
struct ReferenceChangeDetector {
  bool observe(double fit, Index rows);

  double fit = 0, rows = 0;    ///< sums of the unfinished chunk
  double level = 0, fall = 0;  ///< running mean of the fit over 4 chunks, and of its shortfall over 40
  double chunks = 0;           ///< since the last detected change
  double falls = 0;            ///< chunks in the mean of `fall`
};

/// Discounted sums of rows of each class, K x D, with memories of 5 and 50 rows a class.
struct ReferenceMemories {
  ReferenceMemories(Index classes, Index dimension);

  Eigen::Vector2d shares(double persistence) const;

  /// unit(sum_m shares_m unit(sums_m + anchor source)), with these rows accumulated into the sums.
  Eigen::MatrixXd directions(const Eigen::Vector2d& shares, const Eigen::MatrixXd& responsibilities,
                             const Eigen::MatrixXd& h, double anchor, const Eigen::MatrixXd& source) const;

  void learn(const Eigen::MatrixXd& responsibilities, const Eigen::MatrixXd& h, double anchor,
             const Eigen::MatrixXd& source, double concentration, const Eigen::Vector2d& shares);
  void switch_regime(const Eigen::MatrixXd& next, double fit, double anchor, const Eigen::MatrixXd& source,
                     double concentration);
  void fade(double keep);
  void forget();

  std::array<Eigen::MatrixXd, 2> sums;
  Eigen::Vector2d scores = Eigen::Vector2d::Zero();
  ReferenceChangeDetector detector;
  std::vector<Eigen::MatrixXd>
      regimes;  ///< cache of at most three earlier sums of the longer memory, one a detected change
};

}  // namespace stad::reference
