#pragma once

#include <stad/adapter.hpp>
#include <stad/options.hpp>

namespace stad {

/// The classifier as it was trained: softmax(W_0 h + b). What every other method is compared with.
class SourceAdapter final : public Adapter {
 public:
  SourceAdapter(SourceModel source, const SourceOptions& options) : Adapter(std::move(source)), options_(options) {}

  std::string_view method() const override { return "source"; }
  std::vector<OptionSetting> options() const override { return resolved_options(options_); }
  Matrix prototypes() const override { return source().weight(); }

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override { return predict_checked(batch, answer); }
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  std::vector<Tensor> save() const override { return {}; }
  Status load(const AdapterState&) override { return {}; }

  SourceOptions options_;
};

}  // namespace stad
