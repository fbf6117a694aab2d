#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include <stad/matrix.hpp>

namespace stad::reference {

/// Whether 64 rows fit what was learned far worse than those before them.
struct SurpriseJudge {
  bool observe(double fit, Index rows);

  double fit = 0, rows = 0;    ///< since the last 64
  double level = 0, fall = 0;  ///< mean fit of the last 4 chunks or so; how far below it chunks lie, over 40
  double chunks = 0;           ///< since the last surprise
  double falls = 0;            ///< chunks that the fall is known from
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
  void change_world(const Eigen::MatrixXd& next, double fit, double anchor, const Eigen::MatrixXd& source,
                    double concentration);
  void fade(double keep);
  void forget();

  std::array<Eigen::MatrixXd, 2> sums;
  Eigen::Vector2d scores = Eigen::Vector2d::Zero();
  SurpriseJudge surprise;
  std::vector<Eigen::MatrixXd> worlds;  ///< sums under 50 rows as each surprise found them, three at most
};

}  // namespace stad::reference
