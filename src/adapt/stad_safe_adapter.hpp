#pragma once

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "math/scratch_rows.hpp"
#include "math/unit_rows.hpp"
#include "safe/model.hpp"

namespace stad {

/// The guarded default: prototypes that follow the drift, trusted only where they agree with the source.
class StadSafeAdapter final : public Adapter {
 public:
  /// The source's rows must have a direction. Features are centred by its mean, where it has one.
  StadSafeAdapter(SourceModel source, const StadSafeOptions& options);

  std::string_view method() const override { return "stad-safe"; }
  std::vector<OptionSetting> options() const override { return resolved_options(options_); }
  Matrix prototypes() const override { return to_matrix(model_.prototypes()); }
  std::optional<Guard> guard() const override {
    return Guard{model_.trust(), model_.persistence(), model_.reliability()};
  }
  bool takes_labels() const override { return true; }

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override;
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  Observed observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) override;
  Result<Observed> observe_checked(const Batch& batch, std::span<const std::int64_t> labels) override;
  std::vector<Tensor> save() const override;
  Status load(const AdapterState& state) override;

  /// The nonzero rows of a batch and the source's answers to them.
  struct Directed {
    safe::ConstRows rows;
    safe::SourceAnswer source;
    std::span<const Index> places;  ///< in the batch
  };
  /// Applies the source to all rows; `probabilities` are of all rows.
  Directed apply_source(MatrixView features, DoubleRowsMap probabilities, Scratch& scratch) const;

  /// Answers nonzero rows by work(directed, posteriors, unknown) and the others by the source.
  template <typename Work>
  void answer_with(const Batch& batch, const Work& work, Predictions& answer) const;

  StadSafeOptions options_;
  safe::Model model_;
};

}  // namespace stad
