#pragma once

#include <vector>

#include <Eigen/Core>

namespace stad::reference {

/// Hidden Markov chain over labels: a row keeps the label of the row before with probability s and has a uniform one
/// otherwise. The likelihood of a row is its posterior to the power b.
struct ReferenceChain {
  Eigen::MatrixXd transition;  ///< K x K: s I + (1 - s) / K
  double power = 1;            ///< b
  Eigen::VectorXd filtered;    ///< K: filtered distribution of the newest label
  double score = 0;            ///< discounted log-likelihood relative to independent rows
};

/// The chains of all pairs of s and b in their initial state.
std::vector<ReferenceChain> label_chains(Eigen::Index classes);

/// Posteriors of the labels given all rows of their chunk and those before, averaged over the chains and the
/// independent model with weights proportional to their likelihood. Advances the chains to the last row.
Eigen::MatrixXd smoothed(const Eigen::MatrixXd& posteriors, std::vector<ReferenceChain>& chains);

/// Resets the chains to the posterior of the last row.
void start_from(const Eigen::MatrixXd& posteriors, std::vector<ReferenceChain>& chains);

}  // namespace stad::reference
