#pragma once

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "math/scratch_rows.hpp"
#include "safe/recent_rows.hpp"

namespace stad {

/// The source corrected for label shift: class proportions of recent rows by expectation maximisation, with a Dirichlet
/// prior about the class frequencies of the card.
class PriorAdapter final : public Adapter {
 public:
  PriorAdapter(SourceModel source, const PriorOptions& options);

  std::string_view method() const override { return "prior"; }
  std::vector<OptionSetting> options() const override { return resolved_options(options_); }
  Matrix prototypes() const override { return source().weight(); }

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override;
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  std::vector<Tensor> save() const override;
  Status load(const AdapterState& state) override;

  /// softmax(logits / T) and its ratio to the class frequencies.
  void apply_source(MatrixView features, Predictions& answer) const;
  void estimate_proportions();
  void correct(Predictions& answer) const;

  PriorOptions options_;
  Eigen::VectorXd prior_;           ///< class frequencies of the card, K
  Eigen::VectorXd proportions_;     ///< estimated, K
  safe::RecentRows<float> ratios_;  ///< p / prior of recent rows
  Index since_estimate_ = 0;        ///< rows
};

}  // namespace stad
