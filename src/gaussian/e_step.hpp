#pragma once

#include <optional>
#include <vector>

#include "gaussian/params.hpp"
#include "gaussian/window.hpp"

namespace stad::gaussian {

/// -1/2 |h_n - mean_k|^2 in the metric of Sigma_ems, up to what all classes share. N x K
DoubleRows distance_logits(const Eigen::MatrixXd& whitened, const DoubleRows& means, const PositiveDefinite& emission);

/// A batch as the E-step reads it.
struct Evidence {
  Eigen::MatrixXd whitened;          ///< L^-1 h_n in columns, D x n, with L the factor of Sigma_ems
  Eigen::MatrixXd responsibilities;  ///< lambda, n x K
};

/// lambda_nk ~ pi_k N(h_n | E[w_k], Sigma_ems). [gauss-assign]
Evidence assign(const Step& step, const PositiveDefinite& emission);

/// One class along the window.
struct Track {
  std::vector<Belief> filtered;
  std::vector<Belief> smoothed;
  std::vector<SquareMatrix> gains;  ///< J_i links step i to step i + 1; one fewer than steps
};

/// The forward pass from `start`, then the backward pass; nothing if a belief runs out of reach on the way.
/// [gauss-predict] [gauss-update] [gauss-mixture] [gauss-smooth]
std::optional<Track> track_class(Index k, const Belief& start, const std::vector<Evidence>& evidence,
                                 const PositiveDefinite& emission, const Params& params);

}  // namespace stad::gaussian
