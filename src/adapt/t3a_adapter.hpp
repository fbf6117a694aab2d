#pragma once

#include <span>
#include <vector>

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "adapt/support_set.hpp"
#include "math/eigen.hpp"

namespace stad {

/// T3A (Iwasawa and Matsuo 2021): every class keeps its most certain features as supports; the unit sum of the unit
/// supports is its weight.
class T3aAdapter final : public Adapter {
 public:
  T3aAdapter(SourceModel source, const T3aOptions& options);

  std::string_view method() const override { return "t3a"; }
  std::vector<OptionSetting> options() const override { return resolved_options(options_); }
  Matrix prototypes() const override;

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override;
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  std::vector<Tensor> save() const override;
  Status load(const AdapterState& state) override;

  /// Adds every row that has a direction under the source classifier's label.
  void add_supports(MatrixView rows);
  void add_support(Index label, double entropy, std::span<const float> row);
  void update_weights();

  T3aOptions options_;
  std::vector<SupportSet> supports_;  ///< K; empty when all supports are kept, where the sums suffice
  DoubleRows sums_;                   ///< K x D, of the unit supports when all are kept
  DoubleRows weights_;                ///< K x D, unit rows; zero for a class without supports
};

}  // namespace stad
