#pragma once

#include <optional>

#include "reference/method.hpp"
#include "reference/safe_background.hpp"
#include "reference/safe_chains.hpp"
#include "reference/safe_judges.hpp"
#include "reference/safe_memories.hpp"

namespace stad::reference {

/// stad-safe in double, every step from the rows as they are: chains as products with a K x K matrix, sums without
/// lanes or working memory.
class Safe final : public Method {
 public:
  Safe(const Head& head, const StadSafeOptions& options);

  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) override;
  const Eigen::MatrixXd& prototypes() const override { return prototypes_; }
  const Eigen::VectorXd& unknown() const { return unknown_; }  ///< of the last rows; zero without a background

  double trust() const;        ///< 0: the source answers; 1: the adapted classifier does
  double persistence() const;  ///< 0: rows are independent; 1: labels persist
  double short_share() const { return memories_.shares(persistence())[0]; }

 private:
  /// Unit rows, and what the source says about them.
  struct Asked {
    Eigen::MatrixXd h;      ///< n x D
    Eigen::MatrixXd log_p;  ///< n x K
    std::vector<Index> labels;
  };

  void judge(const Asked& asked);
  void learn(const Asked& asked);
  double believed() const;
  double anchor() const { return 5 * likeness_.value(); }
  Eigen::MatrixXd logits(const Asked& asked, const Eigen::MatrixXd& prototypes) const;
  Eigen::MatrixXd smoothed_if_persistent(const Eigen::MatrixXd& posteriors, std::vector<LabelChain>& chains) const;

  Head head_;
  Eigen::MatrixXd source_;      ///< K x D, unit rows
  Eigen::MatrixXd prototypes_;  ///< K x D, unit rows
  MemoryBank memories_;
  ShadowJudge shadow_;
  PersistenceJudge persistence_;
  std::vector<LabelChain> chains_;
  FadingMean likeness_;
  FadingMean flips_;
  double distrusted_ = 0;  ///< rows
  std::optional<BackgroundJudge> background_;
  Eigen::VectorXd unknown_;
};

}  // namespace stad::reference
