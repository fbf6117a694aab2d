#pragma once

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "math/scratch_rows.hpp"
#include "math/unit_rows.hpp"
#include "safe/model.hpp"

namespace stad {

/// STAD for whoever has no labels to choose a method by: prototypes that follow the drift, believed as far as they and
/// the source bear each other out.
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

  /// The rows of a batch that have a direction, and what the source says about them.
  struct Directed {
    safe::ConstRows rows;
    safe::SourceAnswer source;
    std::span<const Index> places;  ///< in the batch
  };
  /// The source's probabilities are of all rows.
  Directed ask_source(MatrixView features, DoubleRowsMap probabilities, Scratch& scratch) const;

  /// Asks the source about the batch, work(directed, posteriors, unknown) about the rows that have a direction.
  template <typename Work>
  void answer_with(const Batch& batch, const Work& work, Predictions& answer) const;

  StadSafeOptions options_;
  safe::Model model_;
};

}  // namespace stad
