#pragma once

#include <Eigen/Core>

#include <stad/matrix.hpp>

namespace stad {

using SquareMatrix = Eigen::MatrixXd;

/// Blocked Cholesky factorisation S = L L^T in the memory of the caller. All solves with symmetric positive definite
/// matrices use it; no matrix is inverted.
class Cholesky {
 public:
  /// Overwrites S with L, zeros above the diagonal. If rounding has made S indefinite, first adds the smallest multiple
  /// of the identity that repairs it (up to a factor of 100). S must be symmetric and finite.
  explicit Cholesky(Eigen::Ref<Eigen::MatrixXd> symmetric);

  /// L^-1 B: differences in the metric of S become Euclidean.
  void whiten_in_place(Eigen::Ref<Eigen::MatrixXd> b) const;
  /// S^-1 B
  void solve_in_place(Eigen::Ref<Eigen::MatrixXd> b) const;
  /// L^-1 P L^-T of a symmetric P. Only values on and below the diagonal are defined.
  void whiten_both_sides_in_place(Eigen::Ref<Eigen::MatrixXd> p) const;
  /// coloured = L B, the inverse of whitening.
  void colour(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> coloured) const;

 private:
  using Factor = Eigen::Map<Eigen::MatrixXd, Eigen::Unaligned, Eigen::OuterStride<>>;

  Index size() const { return factor_.rows(); }
  void whiten_many_in_place(Eigen::Ref<Eigen::MatrixXd> b) const;

  Factor factor_;
};

/// Whether S is numerically positive definite.
bool is_positive_definite(const SquareMatrix& symmetric);

}  // namespace stad
