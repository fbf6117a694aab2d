#pragma once

#include <deque>
#include <vector>

#include "reference/method.hpp"

namespace stad::reference {

/// STAD-Gauss as printed, with a D x D inverse for every sample and class. Reference for the fast implementation in a
/// tridiagonal basis.
class Gauss final : public Method {
 public:
  Gauss(const Head& head, const StadGaussOptions& options);

  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) override;
  const Eigen::MatrixXd& prototypes() const override { return steps_.empty() ? source_ : steps_.back().means; }

 private:
  struct Gaussian {
    Eigen::VectorXd mean;
    Eigen::MatrixXd covariance;
  };
  struct Step {
    Eigen::MatrixXd h, means, lambda;
    Eigen::VectorXd pi;
  };
  struct Track {
    std::vector<Gaussian> predicted, filtered, smoothed;
    std::vector<Eigen::MatrixXd> gains;
  };
  /// Sums over neighbouring steps of E[w_t w_{t-1}^T], E[w_{t-1} w_{t-1}^T] and E[w_t w_t^T].
  struct Moments {
    Eigen::MatrixXd crossed, before, after;
  };

  Eigen::MatrixXd assign(const Step& step) const;
  Track track(Index k) const;
  /// The moments of the mixture of posteriors that each sample by itself leads to.
  Gaussian update(const Gaussian& predicted, const Step& step, Index k) const;
  static void smooth(const Eigen::MatrixXd& a, Track& t);
  static Moments moments(const Track& t);
  /// Adds the scatter of the samples about the smoothed means of class k, weighted by lambda, and the sum of lambda.
  void add_spread(const Track& t, Index k, Eigen::MatrixXd& spread, double& samples) const;
  void em();
  Eigen::MatrixXd predict(const Eigen::MatrixXd& h) const;

  StadGaussOptions options_;
  Eigen::MatrixXd source_;
  Eigen::VectorXd mean_;
  std::vector<Eigen::MatrixXd> transition_;
  Eigen::MatrixXd transition_noise_, emission_noise_;
  std::deque<Step> steps_;
  std::vector<Gaussian> start_, oldest_;
};

}  // namespace stad::reference
