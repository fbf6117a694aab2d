#pragma once

#include <vector>

#include <Eigen/Core>

#include <stad/matrix.hpp>

namespace stad::reference {

/// sum_i x_i e^(-age_i / 1000) / sum_i e^(-age_i / 1000), ages in rows.
struct FadingMean {
  double sum = 0;
  double weight = 0;

  void add(double value);
  double value() const { return weight > 0 ? sum / weight : 0; }
};

/// Sums of rows that each class has heard, K x D: s_k <- e^(-mass_k / memory) s_k + sum_n shares(n, k) h_n.
Eigen::MatrixXd with_heard(const Eigen::MatrixXd& sums, const Eigen::MatrixXd& shares, const Eigen::MatrixXd& h,
                           double memory);

/// s_k + anchor source_k, unit rows; zero where that is zero.
Eigen::MatrixXd directions(const Eigen::MatrixXd& sums, double anchor, const Eigen::MatrixXd& source);

/// The first largest of each row.
std::vector<Index> labels_of(const Eigen::MatrixXd& rows);

/// Whether the source's labels persist from row to row.
struct PersistenceJudge {
  explicit PersistenceJudge(Index classes);

  void observe(Index label, double confidence);
  double share() const;

  FadingMean alike, confidence;
  Eigen::VectorXd counts;  ///< K
  Index last = -1;
};

/// Prototypes that learn from the source's labels alone, and what they tell.
struct ShadowJudge {
  ShadowJudge(Index classes, Index dimension);

  void observe(const Eigen::MatrixXd& h, const std::vector<Index>& labels, const Eigen::MatrixXd& source,
               double likeness);
  double agreement() const;               ///< Cohen's kappa
  double disagreement() const;            ///< from 0 to 1 where it says any class
  double concentration() const;           ///< of the shares of full_concentration(), weighted by how well each predicts
  Eigen::RowVectorXd log_ratios() const;  ///< K
  double full_concentration() const;

  Eigen::MatrixXd sums;
  FadingMean agreed, length;
  Eigen::VectorXd said, heard;  ///< K
  Eigen::VectorXd scores;
};

}  // namespace stad::reference
