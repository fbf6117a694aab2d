#include "torch/last_layer_adapter.hpp"

#include <fmt/format.h>

#include "base/try.hpp"
#include "data/feature_rules.hpp"
#include "torch/network.hpp"
#include "torch/tensors.hpp"

namespace stad::backbone {

LastLayerAdapter::LastLayerAdapter(SourceNetwork source_network, std::unique_ptr<Adapter> last_layer, bool batch_norm)
    : Adapter(source_network.source),
      source_network_(std::move(source_network)),
      last_layer_(std::move(last_layer)),
      batch_norm_(batch_norm),
      method_(std::string(last_layer_->method()) + (batch_norm ? "+bn" : "")) {}

Status LastLayerAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  STAD_ASSIGN(const Matrix features, represent(batch.features));
  Batch represented = batch;
  represented.features = features;
  return last_layer_->adapt(represented, answer);
}

Status LastLayerAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  STAD_ASSIGN(const Matrix features, represent(batch.features));
  return last_layer_->predict(features, answer);
}

Observed LastLayerAdapter::observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) {
  return *last_layer_->observe(
      ids, labels);  // cannot fail: the labels were checked, and the last layer has the same classes
}

Result<Observed> LastLayerAdapter::observe_checked(const Batch& batch, std::span<const std::int64_t> labels,
                                                   LabelSampling sampling) {
  STAD_ASSIGN(const Matrix features, represent(batch.features));
  return last_layer_->observe(Batch(features), labels, sampling);
}

Result<Matrix> LastLayerAdapter::represent(MatrixView images) const {
  try {
    Matrix features = embed(images);
    if (const auto broken = find_broken_value(features))
      return failed(fmt::format("{}: the network's features of image {} of the batch contain {}, {}", method_,
                                broken->row, broken->value, kValueRule));
    return features;
  } catch (const std::exception& error) {
    return failed(fmt::format("{}: {}", method_, error_message(error)));
  }
}

/// Batch statistics require one forward pass over the whole batch.
Matrix LastLayerAdapter::embed(MatrixView images) const {
  if (!batch_norm_) return embed_images(*source_network_.network, images, source_network_.shape);
  const at::NoGradGuard no_grad;
  return to_rows(
      source_network_.network
          ->run(to_images(images, source_network_.shape), source_network_.network->weights(), batch_statistics())
          .features);
}

// The state is that of the last layer's adapter, so that a state saved from images can continue on extracted features
// and vice versa.

std::vector<Tensor> LastLayerAdapter::save() const { return last_layer_->state().tensors; }

Status LastLayerAdapter::load(const AdapterState& state) {
  AdapterState inner = state;
  inner.method = last_layer_->method();
  return last_layer_->restore(inner);
}

}  // namespace stad::backbone
