#pragma once

#include <vector>

#include <Eigen/Core>

namespace stad::reference {

/// A hidden Markov chain over the labels: a row has the label of the row before with chance s, any label otherwise, and
/// what is said about a row is a posterior to the power b.
struct LabelChain {
  Eigen::MatrixXd transition;  ///< K x K: s I + (1 - s) / K
  double power = 1;            ///< b
  Eigen::VectorXd belief;      ///< K: of the newest row's label, given all rows up to it
  double score = 0;            ///< log-likelihood of the rows, fading, above that of independent ones
};

/// Every pair of s and b, before any row.
std::vector<LabelChain> label_chains(Eigen::Index classes);

/// The chains' posteriors of every row's label given all rows of its chunk and those before, weighted by how well each
/// chain has predicted, the independent one included. The chains move on to the last row.
Eigen::MatrixXd smoothed(const Eigen::MatrixXd& posteriors, std::vector<LabelChain>& chains);

/// Where labels do not persist: the chains start again from the last row.
void start_from(const Eigen::MatrixXd& posteriors, std::vector<LabelChain>& chains);

}  // namespace stad::reference
