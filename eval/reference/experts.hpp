#pragma once

#include "reference/method.hpp"

namespace stad::reference {

/// The source on features whose running mean, or mean and variance, are restored.
class Normalise final : public Method {
 public:
  Normalise(const Head& head, const NormaliseOptions& options);

  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) override;
  const Eigen::MatrixXd& prototypes() const override { return head_.weight; }

 private:
  NormaliseOptions options_;
  Head head_;
  Eigen::RowVectorXd mean_sum_, square_sum_;
  double weight_ = 100;
};

/// The source corrected by class proportions of the last 500 rows.
class Prior final : public Method {
 public:
  Prior(const Head& head, const PriorOptions& options);

  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) override;
  const Eigen::MatrixXd& prototypes() const override { return head_.weight; }

 private:
  PriorOptions options_;
  Head head_;
  Eigen::ArrayXd prior_, proportions_;
  Eigen::MatrixXd recent_;  ///< probabilities of up to 500 rows
  Index since_estimate_ = 0;
};

}  // namespace stad::reference
