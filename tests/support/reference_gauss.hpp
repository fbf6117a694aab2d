#pragma once

#include <deque>
#include <vector>

#include <Eigen/Core>

#include <stad/options.hpp>

namespace stad::testing {

/// STAD-Gauss as the equations are printed, in double, with a D x D inverse for every sample and class: what the
/// one-diagonalisation form is held against.
class ReferenceGauss {
 public:
  ReferenceGauss(const Eigen::MatrixXd& weight, const Eigen::VectorXd& mean, const StadGaussOptions& options);

  /// Raw features in rows; all must have a direction. Returns probabilities, N x K.
  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features);

  const Eigen::MatrixXd& prototypes() const { return steps_.empty() ? source_ : steps_.back().means; }

 private:
  struct Belief {
    Eigen::VectorXd mean;
    Eigen::MatrixXd covariance;
  };
  struct Step {
    Eigen::MatrixXd h, means, lambda;
    Eigen::VectorXd pi;
  };
  struct Track {
    std::vector<Belief> predicted, filtered, smoothed;
    std::vector<Eigen::MatrixXd> gains;
  };

  Eigen::MatrixXd assign(const Step& step) const;
  Track track(Index k) const;
  void em();
  Eigen::MatrixXd predict(const Eigen::MatrixXd& h) const;

  StadGaussOptions options_;
  Eigen::MatrixXd source_;
  Eigen::VectorXd mean_;
  std::vector<Eigen::MatrixXd> transition_;
  Eigen::MatrixXd transition_noise_, emission_noise_;
  std::deque<Step> steps_;
  std::vector<Belief> start_, oldest_;
};

}  // namespace stad::testing
