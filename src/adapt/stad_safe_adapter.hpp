#pragma once

#include <stad/adapter.hpp>
#include <stad/options.hpp>

#include "safe/base.hpp"

namespace stad {

/// The guarded default: the source, or label chains where tests allow them.
class StadSafeAdapter final : public Adapter {
 public:
  StadSafeAdapter(SourceModel source, const StadSafeOptions& options, const safe::Params& params = {});

  std::string_view method() const override { return "stad-safe"; }
  std::vector<OptionSetting> options() const override { return resolved_options(options_); }
  Matrix prototypes() const override { return source().weight(); }
  std::optional<Guard> guard() const override { return base_.guard(); }

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override;
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  std::vector<Tensor> save() const override;
  Status load(const AdapterState& state) override;

  double temperature() const { return source().card().temperature.value_or(1); }

  StadSafeOptions options_;
  safe::Base base_;
};

}  // namespace stad
