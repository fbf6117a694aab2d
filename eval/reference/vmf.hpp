#pragma once

#include <deque>

#include "reference/method.hpp"

namespace stad::reference {

/// STAD-vMF as printed, with one loop for each sum. Reference for the float32 implementation; itself tested against the
/// golden cases.
class Vmf final : public Method {
 public:
  Vmf(const Head& head, const StadVmfOptions& options);

  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) override;
  const Eigen::MatrixXd& prototypes() const override { return steps_.empty() ? source_ : steps_.back().rho; }

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

}  // namespace stad::reference
