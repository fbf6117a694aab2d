#pragma once

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "math/scratch_rows.hpp"

namespace stad {

/// The source on features whose running mean, and variance with kind = standardise, are brought back to those of the
/// training features.
class NormaliseAdapter final : public Adapter {
 public:
  /// The source has a mean, and for kind = standardise a card with a variance.
  NormaliseAdapter(SourceModel source, const NormaliseOptions& options);

  std::string_view method() const override { return "normalise"; }
  std::vector<OptionSetting> options() const override { return resolved_options(options_); }
  Matrix prototypes() const override { return source().weight(); }

  /// Adapts to a batch given by the source's logits, for kinds that restore the mean alone.
  void adapt_logits(const DoubleRowsMap& logits, Predictions& answer);

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override;
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  std::vector<Tensor> save() const override;
  Status load(const AdapterState& state) override;

  bool standardises() const { return options_.kind == NormaliseKind::kStandardise; }
  /// Logits of the source, or features if their variance is restored as well: the mean of the logits moves as that of
  /// the features does.
  DoubleRowsMap rows_of(MatrixView features, Scratch& scratch) const;
  void add(const DoubleRowsMap& rows);
  void answer_rows(DoubleRowsMap rows, Predictions& answer) const;

  NormaliseOptions options_;
  Eigen::VectorXd source_mean_;  ///< of the rows, K or D values
  Eigen::VectorXd mean_sum_;     ///< discounted sum of the rows
  Eigen::VectorXd square_sum_;   ///< of squared distances from the running mean; empty unless variances are restored
  double weight_;                ///< discounted number of rows
};

}  // namespace stad
