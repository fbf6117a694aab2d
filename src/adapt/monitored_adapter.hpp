#pragma once

#include <memory>
#include <vector>

#include <stad/adapter.hpp>

namespace stad {

/// Decorates an adapter with health: every answer of adapt() gets a Health record. Answers and states are those of the
/// decorated adapter, whatever the level.
class MonitoredAdapter final : public Adapter {
 public:
  explicit MonitoredAdapter(std::unique_ptr<Adapter> inner);

  std::string_view method() const override { return inner_->method(); }
  std::vector<OptionSetting> options() const override { return inner_->options(); }
  Index input_dimension() const override { return inner_->input_dimension(); }
  bool takes_labels() const override { return inner_->takes_labels(); }
  Matrix prototypes() const override { return inner_->prototypes(); }
  std::optional<Guard> guard() const override { return inner_->guard(); }
  void write_candidates(Health& health) const override { inner_->write_candidates(health); }
  void watch(HealthLevel level) override;
  void report_source(bool reports) override;

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override;
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  Observed observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) override;
  Result<Observed> observe_checked(const Batch& batch, std::span<const std::int64_t> labels,
                                   LabelSampling sampling) override;
  std::vector<Tensor> save() const override { return inner_->save(); }
  Status load(const AdapterState& state) override { return inner_->load(state); }
  Result<Matrix> source_features(MatrixView rows) const override { return inner_->source_features(rows); }

  bool takes_features() const { return input_dimension() == source().dimension(); }
  /// Evaluates the source where the answer shall include its predictions and the method has not written them.
  void complete_source(const Batch& batch, Predictions& answer) const;
  void write_health(const Batch& batch, Predictions& answer);
  void count_evidence(Predictions& answer);
  void write_full(const Batch& batch, Predictions& answer);
  /// Compares every `step`th row of the stream with the source's answer.
  void compare_with_source(MatrixView features, Index step, Predictions& answer) const;

  std::unique_ptr<Adapter> inner_;
  HealthLevel level_ = HealthLevel::kBasic;
  /// A stad-safe adapter that follows the same stream, for the guard and the warning level of other methods at kFull.
  std::unique_ptr<Adapter> reference_;
  Predictions reference_answer_;
  std::vector<double> evidence_;  ///< K: discounted counts of answered classes
  Index rows_ = 0;                ///< monitored so far
};

/// The adapter with health at level kBasic.
std::unique_ptr<Adapter> monitored(std::unique_ptr<Adapter> adapter);

/// Dispersion and movement of the adapter's prototypes.
void write_geometry(const Adapter& adapter, Health& health);

}  // namespace stad
