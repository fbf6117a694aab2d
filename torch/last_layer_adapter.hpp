#pragma once

#include <memory>
#include <string>

#include "torch/network_adapter.hpp"

namespace stad::backbone {

/// A method that adapts only the last layer, applied to the features of the frozen network. Batch norm uses the
/// statistics of the training data (`stad-vmf`) or of the batch (`stad-vmf+bn`).
class LastLayerAdapter final : public Adapter {
 public:
  LastLayerAdapter(SourceNetwork source_network, std::unique_ptr<Adapter> last_layer, bool batch_norm);

  std::string_view method() const override { return method_; }
  std::vector<OptionSetting> options() const override { return last_layer_->options(); }
  Index input_dimension() const override { return source_network_.shape.size(); }
  Matrix prototypes() const override { return last_layer_->prototypes(); }
  /// Monitoring is done by the last layer's adapter, which receives the features.
  void watch(HealthLevel level) override { last_layer_->watch(level); }
  std::optional<Guard> guard() const override { return last_layer_->guard(); }
  void write_candidates(Health& health) const override { last_layer_->write_candidates(health); }
  bool takes_labels() const override { return last_layer_->takes_labels(); }

 private:
  Status adapt_checked(const Batch& batch, Predictions& answer) override;
  Status predict_checked(const Batch& batch, Predictions& answer) const override;
  Observed observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) override;
  Result<Observed> observe_checked(const Batch& batch, std::span<const std::int64_t> labels,
                                   LabelSampling sampling) override;
  std::vector<Tensor> save() const override;
  Status load(const AdapterState& state) override;

  Result<Matrix> represent(MatrixView images) const;
  Matrix embed(MatrixView images) const;

  SourceNetwork source_network_;
  std::unique_ptr<Adapter> last_layer_;
  bool batch_norm_;
  std::string method_;
};

}  // namespace stad::backbone
