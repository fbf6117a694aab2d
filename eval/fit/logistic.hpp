#pragma once

#include <cstdint>
#include <span>

#include <Eigen/Core>

#include <stad/matrix.hpp>

namespace stad {

/// Moves the features to their mean and divides them all by one number, so that they are about 1 in size and the
/// penalty means the same whatever their unit. One number for all columns keeps the angles between rows, which is
/// what the adapters look at.
struct Standard {
  Eigen::VectorXd mean;  ///< D
  double scale = 1;      ///< root mean square of the centred features; 1 where they are all equal
};

Standard standard_of(MatrixView features);

/// Mean cross-entropy of softmax(W z + b) over the standardised rows z, plus l2 / 2 |W|^2. Parameters in one vector:
/// W row by row, then b.
class LogisticLoss {
 public:
  LogisticLoss(MatrixView features, std::span<const std::int64_t> labels, Index classes, double l2, Standard standard);

  Index parameters() const { return classes_ * (features_.cols + 1); }
  double operator()(const Eigen::VectorXd& parameters, Eigen::VectorXd& gradient) const;

 private:
  double add_rows(Index first, Index last, const Eigen::VectorXd& parameters, Eigen::VectorXd& gradient) const;

  MatrixView features_;
  std::span<const std::int64_t> labels_;
  Index classes_;
  double l2_;
  Standard standard_;
};

}  // namespace stad
