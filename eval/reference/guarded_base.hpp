#pragma once

#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "reference/method.hpp"

namespace stad::reference {

/// Pairs of equal neighbours in a sequence of labels, with their exact mean and variance over all permutations of it.
struct NeighbourMoments {
  double observed = 0;
  double mean = 0;
  double variance = 0;
  double pairs = 0;
};

/// @param labels at least four
NeighbourMoments neighbour_moments(const std::vector<Index>& labels);

/// The label-free base of the guarded default: the source's probabilities, or those of a bank of label chains where two
/// tests find that labels persist and that the noise around them does not.
class GuardedBase final : public Method {
 public:
  explicit GuardedBase(const Head& head, const StadSafeOptions& = {});

  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) override { return adapt(features, {}).base; }
  const Eigen::MatrixXd& prototypes() const override { return head_.weight; }

  /// Signals of the tests after a batch.
  struct Signals {
    double zeta = 0;    ///< standardised excess of equal neighbours
    double excess = 0;  ///< share of the possible excess
    double ra = 0;      ///< first autocorrelation of the residuals
    bool open = false;  ///< whether the chain bank answers
  };
  struct Answer {
    Eigen::MatrixXd base;   ///< N x K
    Eigen::MatrixXd chain;  ///< N x K: the chain bank's, whether it answers or not
    Signals signals;
  };
  /// @param time N values, or empty
  Answer adapt(const Eigen::MatrixXd& features, const std::vector<double>& time);

 private:
  static constexpr std::array kStay{0.3, 0.6, 0.8, 0.95};
  static constexpr std::array kPower{1.0, 0.5, 0.25};
  struct LabelChain {
    double stay;
    double power;
    Eigen::VectorXd state;  ///< filtered distribution of the label, K
    double score = 0;       ///< discounted log-likelihood ratio against independent labels
  };

  void add_labels(const Eigen::MatrixXd& logits, const std::vector<double>& time);
  void close_window();
  void test_chains(Signals& signals) const;
  void estimate_means(const Eigen::MatrixXd& features, const Eigen::MatrixXd& probabilities);
  double residual_autocorrelation(const Eigen::MatrixXd& products, const Eigen::MatrixXd& probabilities);
  Eigen::RowVectorXd stationary_law(const Eigen::MatrixXd& probabilities);
  Eigen::MatrixXd chain_bank(const Eigen::MatrixXd& probabilities);
  static Eigen::MatrixXd smooth(const Eigen::MatrixXd& probabilities, const Eigen::RowVectorXd& law, LabelChain& chain);

  Head head_;
  Eigen::VectorXd prior_;
  Eigen::MatrixXd means_;  ///< K x D; estimated where the card has none
  bool estimates_means_;
  Eigen::MatrixXd mean_sums_;    ///< K x D
  Eigen::VectorXd mean_counts_;  ///< K
  Index rows_ = 0;

  std::vector<Index> window_;
  std::optional<double> last_time_;
  std::deque<NeighbourMoments> closed_;

  std::deque<Eigen::RowVectorXd> residuals_;  ///< up to 200
  Eigen::RowVectorXd last_residual_;          ///< centred; empty before the first row
  std::deque<double> products_, squares_;     ///< up to 1000

  Eigen::RowVectorXd law_sums_;
  double law_weight_ = 100;
  std::vector<LabelChain> chains_;
};

}  // namespace stad::reference
