#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace stad {

using SquareMatrix = Eigen::MatrixXd;

/// The one door for solves with a symmetric positive definite matrix; nothing in the house inverts one.
class PositiveDefinite {
 public:
  /// Factors S = L L^T. Where rounding has made S indefinite, the least multiple of the identity that repairs it (to
  /// a factor of 100) is added first. S must be finite.
  explicit PositiveDefinite(const SquareMatrix& symmetric);

  /// S^-1 B
  template <typename Derived>
  Eigen::MatrixXd solve(const Eigen::MatrixBase<Derived>& b) const {
    return factor_.solve(b);
  }

  /// L^-1 B: differences in the metric of S become Euclidean.
  template <typename Derived>
  Eigen::MatrixXd whiten(const Eigen::MatrixBase<Derived>& b) const {
    if (b.cols() == 0) return b;  // a batch without rows; the solver would look at its first value
    return factor_.matrixL().solve(b);
  }

  /// L B, the way back.
  template <typename Derived>
  Eigen::MatrixXd colour(const Eigen::MatrixBase<Derived>& b) const {
    return factor_.matrixL() * b;
  }

 private:
  Eigen::LLT<SquareMatrix> factor_;
};

/// Whether S factors as it is.
bool is_positive_definite(const SquareMatrix& symmetric);

/// (S + S^T) / 2
inline SquareMatrix symmetrised(const SquareMatrix& s) { return 0.5 * (s + s.transpose()); }

}  // namespace stad
