#pragma once

#include <optional>
#include <span>

#include "gaussian/params.hpp"
#include "gaussian/window.hpp"

namespace stad::gaussian {

/// L^-1 h_n in columns, D x n, with L the factor of Sigma_ems.
void whiten_rows(const Eigen::Ref<const DoubleRows>& rows, const Cholesky& emission, MatrixMap whitened);

/// -1/2 |h_n - mean_k|^2 in the metric of Sigma_ems, up to what all classes share. N x K
void distance_logits(const MatrixMap& whitened, const DoubleRows& means, const Cholesky& emission,
                     DoubleRowsMap logits);

/// Inputs of the E-step for one batch.
struct Assignment {
  MatrixMap whitened;          ///< L^-1 h_n in columns, D x n, with L the factor of Sigma_ems
  MatrixMap responsibilities;  ///< lambda, n x K

  Assignment(Scratch& scratch, Index rows, Index dimension, Index classes)
      : whitened(take_matrix(scratch, dimension, rows)), responsibilities(take_matrix(scratch, rows, classes)) {}
};

/// lambda_nk ~ pi_k N(h_n | E[w_k], Sigma_ems). [gauss-assign]
void assign(const GaussStep& step, const Cholesky& emission, Assignment& evidence);

/// One class along the window.
struct Track {
  std::span<BeliefMap> filtered;
  std::span<BeliefMap> smoothed;
  std::span<MatrixMap> gains;  ///< J_i^T, which links step i to step i + 1; one fewer than steps
};

/// The forward pass from `start`, then the backward pass; nothing if a belief runs out of reach on the way. The track
/// is valid as long as `scratch`, which must be the innermost one of the thread.
/// [gauss-predict] [gauss-update] [gauss-mixture] [gauss-smooth]
std::optional<Track> track_class(Index k, BeliefMap start, std::span<const Assignment> evidence,
                                 const Cholesky& emission, const GaussParams& params, Scratch& scratch);

}  // namespace stad::gaussian
