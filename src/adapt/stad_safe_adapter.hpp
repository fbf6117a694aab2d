#pragma once

#include <optional>

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "adapt/contest.hpp"
#include "safe/base.hpp"

namespace stad {

/// The guarded default: the source, or label chains where tests allow them, or a candidate that labels have proved to
/// be better.
class StadSafeAdapter final : public Adapter {
 public:
  /// @param candidates made for the same source and options; may be empty
  StadSafeAdapter(SourceModel source, const StadSafeOptions& options, Candidates candidates = {},
                  const safe::Params& params = {}, const safe::ContestParams& contest = {});

  std::string_view method() const override { return "stad-safe"; }
  std::vector<OptionSetting> options() const override { return resolved_options(options_); }
  Matrix prototypes() const override { return source().weight(); }
  bool takes_labels() const override { return contest_.has_value(); }
  std::optional<Guard> guard() const override { return base_.guard(); }
  void write_candidates(Health& health) const override;

  /// None without candidates.
  std::optional<Contest>& contest() { return contest_; }

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override;
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  Observed observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) override;
  Result<Observed> observe_checked(const Batch& batch, std::span<const std::int64_t> labels,
                                   LabelSampling sampling) override;
  std::vector<Tensor> save() const override;
  Status load(const AdapterState& state) override;

  double temperature() const { return source().card().temperature.value_or(1); }
  /// Logits of the source, and its answer at the temperature of the card.
  DoubleRowsMap apply_source(MatrixView features, Scratch& scratch, Predictions& answer) const;
  /// Answer of the chains to rows that are not learned from, if there is a contest.
  FloatRowsMap apply_chains(const Predictions& source, Scratch& scratch) const;

  StadSafeOptions options_;
  safe::Base base_;
  std::optional<Contest> contest_;
};

}  // namespace stad
