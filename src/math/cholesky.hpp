#pragma once

#include <Eigen/Core>

#include <stad/matrix.hpp>

namespace stad {

using SquareMatrix = Eigen::MatrixXd;

/// The one door for solves with a symmetric positive definite matrix; nothing in the house inverts one.
/// S = L L^T in somebody else's memory, a block at a time and without any of its own.
class Cholesky {
 public:
  /// Puts L in the place of S, zeros above. Where rounding has made S indefinite, the least multiple of the identity
  /// that repairs it (to a factor of 100) is added first. S must be symmetric and finite.
  explicit Cholesky(Eigen::Ref<Eigen::MatrixXd> symmetric);

  /// L^-1 B: differences in the metric of S become Euclidean.
  void whiten_in_place(Eigen::Ref<Eigen::MatrixXd> b) const;
  /// S^-1 B
  void solve_in_place(Eigen::Ref<Eigen::MatrixXd> b) const;
  /// L^-1 P L^-T of a symmetric P: what lies on and below the diagonal, no promise above.
  void whiten_both_sides_in_place(Eigen::Ref<Eigen::MatrixXd> p) const;
  /// coloured = L B, the way back.
  void colour(const Eigen::Ref<const Eigen::MatrixXd>& b, Eigen::Ref<Eigen::MatrixXd> coloured) const;

 private:
  using Factor = Eigen::Map<Eigen::MatrixXd, Eigen::Unaligned, Eigen::OuterStride<>>;

  Index size() const { return factor_.rows(); }
  void whiten_many_in_place(Eigen::Ref<Eigen::MatrixXd> b) const;

  Factor factor_;
};

/// Whether S factors as it is.
bool is_positive_definite(const SquareMatrix& symmetric);

}  // namespace stad
