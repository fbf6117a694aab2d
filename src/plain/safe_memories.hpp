#pragma once

#include <array>

#include <Eigen/Core>

#include <stad/index.hpp>

namespace stad::plain {

/// Whether 64 rows fit what was learned far worse than those before them.
struct SurpriseJudge {
  bool observe(double fit, Index rows);

  double fit = 0, rows = 0;                 ///< since the last 64
  double chunks = 0, sum = 0, squares = 0;  ///< of mean fits, fading over 16 chunks
};

/// Sums of rows that each class has heard, K x D, under two memories: 5 and 50 rows of its own.
struct MemoryBank {
  MemoryBank(Index classes, Index dimension);

  Eigen::Vector2d shares(double persistence) const;

  /// unit(sum_m shares_m unit(sums_m + anchor source)), of the sums with these rows heard.
  Eigen::MatrixXd directions(const Eigen::Vector2d& shares, const Eigen::MatrixXd& responsibilities,
                             const Eigen::MatrixXd& h, double anchor, const Eigen::MatrixXd& source) const;

  void learn(const Eigen::MatrixXd& responsibilities, const Eigen::MatrixXd& h, double anchor,
             const Eigen::MatrixXd& source, double concentration, const Eigen::Vector2d& shares);
  void fade(double keep);
  void forget();

  std::array<Eigen::MatrixXd, 2> sums;
  Eigen::Vector2d scores = Eigen::Vector2d::Zero();
  SurpriseJudge surprise;
};

}  // namespace stad::plain
