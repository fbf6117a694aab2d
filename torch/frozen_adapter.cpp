#include "torch/frozen_adapter.hpp"

#include <fmt/format.h>

#include "base/try.hpp"
#include "data/feature_rules.hpp"
#include "torch/embed_rows.hpp"
#include "torch/reason.hpp"

namespace stad::backbone {

FrozenAdapter::FrozenAdapter(Start start, std::unique_ptr<Adapter> last_layer, bool batch_norm)
    : Adapter(start.source),
      start_(std::move(start)),
      last_layer_(std::move(last_layer)),
      batch_norm_(batch_norm),
      method_(std::string(last_layer_->method()) + (batch_norm ? "+bn" : "")) {}

Status FrozenAdapter::adapt_checked(const Batch& batch, Predictions& answer) {
  STAD_ASSIGN(const Matrix features, represent(batch.features));
  Batch represented = batch;
  represented.features = features;
  return last_layer_->adapt(represented, answer);
}

Status FrozenAdapter::predict_checked(const Batch& batch, Predictions& answer) const {
  STAD_ASSIGN(const Matrix features, represent(batch.features));
  return last_layer_->predict(features, answer);
}

Observed FrozenAdapter::observe_checked(std::span<const std::int64_t> ids, std::span<const std::int64_t> labels) {
  return *last_layer_->observe(ids, labels);  // checked: the last layer has the same classes
}

Result<Observed> FrozenAdapter::observe_checked(const Batch& batch, std::span<const std::int64_t> labels) {
  STAD_ASSIGN(const Matrix features, represent(batch.features));
  return last_layer_->observe(Batch(features), labels);
}

Result<Matrix> FrozenAdapter::represent(MatrixView images) const {
  try {
    Matrix features = embed(images);
    if (const auto broken = find_broken_value(features))
      return failed(fmt::format("{}: the network gives image {} of the batch a feature of {}, {}", method_, broken->row,
                                broken->value, kValueRule));
    return features;
  } catch (const std::exception& trouble) {
    return failed(fmt::format("{}: {}", method_, reason(trouble)));
  }
}

/// Statistics of the batch need all of it at once.
Matrix FrozenAdapter::embed(MatrixView images) const {
  if (!batch_norm_) return embed_rows(*start_.network, images, start_.shape);
  const at::NoGradGuard no_grad;
  return to_rows(
      start_.network->run(to_images(images, start_.shape), start_.network->weights(), batch_statistics()).features);
}

// The last layer's own state, so that one taken from images continues on extracted features, and the other way round.

std::vector<Tensor> FrozenAdapter::save() const { return last_layer_->state().tensors; }

Status FrozenAdapter::load(const AdapterState& state) {
  AdapterState inner = state;
  inner.method = last_layer_->method();
  return last_layer_->restore(inner);
}

}  // namespace stad::backbone
