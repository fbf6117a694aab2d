#pragma once

#include "math/scratch_rows.hpp"

namespace stad {

/// Q T Q^T with Q orthogonal and T symmetric and tridiagonal, in scratch memory.
struct Tridiagonal {
  MatrixMap basis;         ///< Q, D x D
  VectorMap diagonal;      ///< of T, D
  VectorMap off_diagonal;  ///< of T, D - 1 of D values; zero once diagonalised

  Tridiagonal(Scratch& scratch, Index size)
      : basis(take_matrix(scratch, size, size)),
        diagonal(take_vector(scratch, size)),
        off_diagonal(take_vector(scratch, size)) {}

  Index size() const { return diagonal.size(); }
};

/// Reduces a symmetric matrix, of which only the lower part is read, by blocked Householder reflections. Overwrites the
/// matrix. About 8/3 D^3 multiplications and additions, a quarter of them bound by memory.
void tridiagonalise(Eigen::Ref<Eigen::MatrixXd> symmetric, Tridiagonal& result);

/// Diagonalises T into its eigenvalues and updates Q. Takes about twice as long as the reduction.
void diagonalise(Tridiagonal& reduced);

}  // namespace stad
