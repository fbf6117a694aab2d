#pragma once

#include <vector>

#include <Eigen/Core>

#include <stad/matrix.hpp>

namespace stad::reference {

/// Discounted mean: sum_i x_i e^(-age_i / 1000) / sum_i e^(-age_i / 1000), with ages in rows.
struct ReferenceMean {
  double sum = 0;
  double weight = 0;

  void add(double value);
  double value() const { return weight > 0 ? sum / weight : 0; }
};

/// Discounted sums of responsibility-weighted rows, K x D: s_k <- e^(-mass_k / memory) s_k + sum_n shares(n, k) h_n.
Eigen::MatrixXd accumulated(const Eigen::MatrixXd& sums, const Eigen::MatrixXd& shares, const Eigen::MatrixXd& h,
                            double memory);

/// Unit rows of s_k + anchor source_k; zero rows stay zero.
Eigen::MatrixXd directions(const Eigen::MatrixXd& sums, double anchor, const Eigen::MatrixXd& source);

/// The argmax of each row, the first on a tie.
std::vector<Index> labels_of(const Eigen::MatrixXd& rows);

/// Estimates how often labels of the source persist from row to row, corrected for chance.
struct ReferencePersistence {
  explicit ReferencePersistence(Index classes);

  void observe(Index label, double confidence);
  double share() const;

  ReferenceMean alike, confidence;
  Eigen::VectorXd counts;  ///< K
  Index last = -1;
};

/// Prototypes that learn from labels of the source alone, and statistics of their agreement with it.
struct ReferenceShadow {
  ReferenceShadow(Index classes, Index dimension);

  void observe(const Eigen::MatrixXd& h, const std::vector<Index>& labels, const Eigen::MatrixXd& source,
               double similarity);
  double agreement() const;      ///< Cohen's kappa
  double disagreement() const;   ///< share of disagreeing labels relative to chance, 0 to 1
  double concentration() const;  ///< full_concentration() times the mean of its factors, weighted by their likelihood
  Eigen::RowVectorXd log_ratios() const;  ///< K
  double full_concentration() const;

  Eigen::MatrixXd sums;
  ReferenceMean agreed, length;
  Eigen::VectorXd shadow_counts, source_counts;  ///< K
  Eigen::VectorXd scores;
};

/// Distribution of the similarity of rows to the nearest source direction, and the probability of a row to be of none
/// of the classes.
struct ReferenceBackground {
  Eigen::VectorXd fits = Eigen::VectorXd::Zero(128);  ///< discounted histogram over [-1, 1]
  ReferenceMean share{.sum = 0.01 * 100, .weight = 100};

  double observe(double fit);
  double unknown(double fit) const;
  /// Quantile of the similarities.
  double quantile(double below) const;
};

}  // namespace stad::reference
