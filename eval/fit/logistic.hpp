#pragma once

#include <cstdint>
#include <span>

#include <Eigen/Core>

#include <stad/matrix.hpp>

namespace stad {

/// Centres the features and divides them by one number, so that the l2 penalty does not depend on their unit. One scale
/// for all columns preserves the angles between rows, which the adapters use.
struct Standardisation {
  Eigen::VectorXd mean;  ///< D
  double scale = 1;      ///< root mean square of the centred features; 1 where they are all equal
};

Standardisation standardise(MatrixView features);

/// Mean cross-entropy of softmax(W z + b) over the standardised rows z, plus l2 / 2 |W|^2. The parameters are one
/// vector: W row by row, then b.
class LogisticLoss {
 public:
  LogisticLoss(MatrixView features, std::span<const std::int64_t> labels, Index classes, double l2,
               Standardisation standard);

  Index parameters() const { return classes_ * (features_.cols + 1); }
  double operator()(const Eigen::VectorXd& parameters, Eigen::VectorXd& gradient) const;

 private:
  double add_rows(Index first, Index last, const Eigen::VectorXd& parameters, Eigen::VectorXd& gradient) const;

  MatrixView features_;
  std::span<const std::int64_t> labels_;
  Index classes_;
  double l2_;
  Standardisation standard_;
};

}  // namespace stad
