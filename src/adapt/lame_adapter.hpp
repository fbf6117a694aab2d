#pragma once

#include <stad/adapter.hpp>
#include <stad/options.hpp>

namespace stad {

/// LAME (Boudiaf et al. 2022): corrects the source model's probabilities so that neighbouring features of a batch
/// agree. Nothing is remembered between batches.
class LameAdapter final : public Adapter {
 public:
  LameAdapter(SourceModel source, const LameOptions& options) : Adapter(std::move(source)), options_(options) {}

  std::string_view method() const override { return "lame"; }
  std::vector<OptionSetting> options() const override { return resolved_options(options_); }
  Matrix prototypes() const override { return source().weight(); }

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override { return predict_checked(batch, answer); }
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  std::vector<Tensor> save() const override { return {}; }
  Status load(const AdapterState&) override { return {}; }

  LameOptions options_;
};

}  // namespace stad
