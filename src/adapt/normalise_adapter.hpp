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

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override;
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  std::vector<Tensor> save() const override;
  Status load(const AdapterState& state) override;

  void add(MatrixView features);
  /// Logits of the features moved by the difference of the means: those of the source plus a constant vector.
  void write_recentred(MatrixView features, double share, DoubleRowsMap logits) const;
  void write_standardised(MatrixView features, DoubleRowsMap logits) const;

  NormaliseOptions options_;
  Eigen::VectorXd mean_sum_;    ///< discounted sum of the features, D
  Eigen::VectorXd square_sum_;  ///< of the squared distances from the running mean, D
  double weight_;               ///< discounted number of rows
};

}  // namespace stad
