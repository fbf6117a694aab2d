#pragma once

#include "math/scratch_rows.hpp"

namespace stad {

/// Q T Q^T with Q orthogonal and T symmetric and tridiagonal, in somebody else's memory.
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

/// Reduces a symmetric matrix, of which the lower part is read, by Householder reflections taken in blocks; the matrix
/// is overwritten. About 8/3 D^3 multiplications and additions, a quarter of them bound by memory.
void tridiagonalise(Eigen::Ref<Eigen::MatrixXd> symmetric, Tridiagonal& result);

/// Turns T into the diagonal matrix of its eigenvalues. Takes about twice as long as the reduction.
void diagonalise(Tridiagonal& reduced);

}  // namespace stad
