#pragma once

#include <deque>

#include <Eigen/Core>

#include <stad/options.hpp>

namespace stad::testing {

/// STAD-vMF as the equations are printed, in double, one loop a sum: slow, and easy to check against the paper. The
/// library's float32 implementation is held against it, and it against the golden cases.
class ReferenceVmf {
 public:
  ReferenceVmf(const Eigen::MatrixXd& weight, const Eigen::VectorXd& mean, const StadVmfOptions& options);

  /// Raw features in rows; all must have a direction. Returns probabilities, N x K.
  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features);

  const Eigen::MatrixXd& prototypes() const { return steps_.empty() ? source_ : steps_.back().rho; }

 private:
  struct Step {
    Eigen::MatrixXd h, expected, rho, lambda;
    Eigen::VectorXd pi;
  };

  void update_step(std::size_t i);
  void learn_kappas();
  Eigen::MatrixXd predict(const Eigen::MatrixXd& h) const;

  StadVmfOptions options_;
  Eigen::MatrixXd source_;
  Eigen::VectorXd mean_;
  Eigen::VectorXd kappa_trans_, kappa_ems_;
  std::deque<Step> steps_;
  Eigen::MatrixXd past_;
};

/// Rows of unit length.
Eigen::MatrixXd unit(Eigen::MatrixXd rows);

/// softmax of every row.
Eigen::MatrixXd softmax_of(Eigen::MatrixXd logits);

}  // namespace stad::testing
