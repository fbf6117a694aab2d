#pragma once

#include <optional>

#include "reference/method.hpp"
#include "reference/safe_chains.hpp"
#include "reference/safe_estimators.hpp"
#include "reference/safe_memories.hpp"

namespace stad::reference {

/// stad-safe in double, computed directly from the rows: label chains as products with a K x K matrix, sums without
/// vector lanes or scratch memory.
class Safe final : public Method {
 public:
  Safe(const Head& head, const StadSafeOptions& options);

  Eigen::MatrixXd adapt(const Eigen::MatrixXd& features) override;
  const Eigen::MatrixXd& prototypes() const override { return prototypes_; }
  const Eigen::VectorXd& unknown() const {
    return unknown_;
  }  ///< probability of each row of the last batch to be unknown

  double trust() const;        ///< weight of the adapted classifier against the source, 0 to 1
  double persistence() const;  ///< 0: rows are independent; 1: labels persist from row to row
  double short_share() const { return memories_.shares(persistence())[0]; }

 private:
  /// Unit rows of a batch with the log-probabilities and labels of the source.
  struct SourceView {
    Eigen::MatrixXd h;      ///< n x D
    Eigen::MatrixXd log_p;  ///< n x K
    std::vector<Index> labels;
  };

  void update_estimates(const SourceView& batch);
  void learn(const SourceView& batch);
  double agreement_weight() const;
  double anchor() const { return 5 * similarity_.value(); }
  Eigen::MatrixXd logits(const SourceView& batch, const Eigen::MatrixXd& prototypes) const;
  Eigen::MatrixXd smoothed_if_persistent(const Eigen::MatrixXd& posteriors, std::vector<ReferenceChain>& chains) const;

  Head head_;
  Eigen::MatrixXd source_;      ///< K x D, unit rows
  Eigen::MatrixXd prototypes_;  ///< K x D, unit rows
  ReferenceMemories memories_;
  ReferenceShadow shadow_;
  ReferencePersistence persistence_;
  std::vector<ReferenceChain> chains_;
  ReferenceMean similarity_;
  ReferenceMean flips_;
  double rejected_rows_ = 0;  ///< rows
  std::optional<ReferenceBackground> background_;
  Eigen::VectorXd unknown_;
};

}  // namespace stad::reference
