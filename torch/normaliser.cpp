#include "torch/normaliser.hpp"

#include <utility>

#include <torch/library.h>

namespace stad::backbone {
namespace {

constexpr double kTrainingMomentum = 0.1;  ///< torch's default for batch norm

at::Tensor value_or_undefined(const c10::optional<at::Tensor>& tensor) { return tensor ? *tensor : at::Tensor(); }

at::Tensor normalise_with_batch(const BatchNormCall& call) {
  return at::batch_norm(call.input, call.scale, call.shift, {}, {}, true, 0, call.epsilon, false);
}

/// The given statistics are constants in the gradient.
at::Tensor normalise_with_given(const BatchNormCall& call, const at::Tensor& mean, const at::Tensor& variance) {
  return at::batch_norm(call.input, call.scale, call.shift, mean, variance, false, 0, call.epsilon, false);
}

class SourceStatistics final : public Normaliser {
 public:
  at::Tensor normalise(const BatchNormCall& call) override {
    return call.mean.defined() ? normalise_with_given(call, call.mean, call.variance) : normalise_with_batch(call);
  }
};

class BatchStatistics final : public Normaliser {
 public:
  at::Tensor normalise(const BatchNormCall& call) override { return normalise_with_batch(call); }
};

class TrainingStatistics final : public Normaliser {
 public:
  at::Tensor normalise(const BatchNormCall& call) override {
    return at::batch_norm(call.input, call.scale, call.shift, call.mean, call.variance, true, kTrainingMomentum,
                          call.epsilon, false);
  }
};

/// All axes but that of the channels.
std::vector<std::int64_t> pooled_axes(const at::Tensor& input) {
  std::vector<std::int64_t> axes{0};
  for (std::int64_t axis = 2; axis < input.dim(); ++axis) axes.push_back(axis);
  return axes;
}

/// With gradients through mean and variance, which at::batch_norm does not offer.
at::Tensor normalise_differentiably(const BatchNormCall& call, const at::Tensor& mean, const at::Tensor& variance) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(call.input.dim()), 1);
  shape[1] = call.input.size(1);
  const auto spread = [&](const at::Tensor& values) { return values.reshape(shape); };
  at::Tensor result = (call.input - spread(mean)) * spread((variance + call.epsilon).rsqrt());
  if (call.scale.defined()) result = result * spread(call.scale);
  if (call.shift.defined()) result = result + spread(call.shift);
  return result;
}

at::Tensor batch_norm(const at::Tensor& input, const c10::optional<at::Tensor>& scale,
                      const c10::optional<at::Tensor>& shift, const c10::optional<at::Tensor>& mean,
                      const c10::optional<at::Tensor>& variance, const NormaliserPointer& normaliser,
                      std::int64_t layer, double epsilon) {
  return normaliser->normalise({layer, input, value_or_undefined(scale), value_or_undefined(shift),
                                value_or_undefined(mean), value_or_undefined(variance), epsilon});
}

}  // namespace

NormaliserPointer source_statistics() { return c10::make_intrusive<SourceStatistics>(); }
NormaliserPointer batch_statistics() { return c10::make_intrusive<BatchStatistics>(); }
NormaliserPointer training_statistics() { return c10::make_intrusive<TrainingStatistics>(); }

MovingStatistics::MovingStatistics(NormStatistics average, double momentum, double source_share, bool updates)
    : average_(std::move(average)), momentum_(momentum), source_share_(source_share), updates_(updates) {}

at::Tensor MovingStatistics::normalise(const BatchNormCall& call) {
  const auto layer = static_cast<std::size_t>(call.layer);
  at::Tensor mean = average_.means[layer], variance = average_.variances[layer];
  if (!mean.defined())
    return normalise_with_batch(call);  // no running statistics: it used those of the batch in training too
  if (updates_) {
    const auto axes = pooled_axes(call.input);
    mean = (1 - momentum_) * mean + momentum_ * call.input.mean(axes);
    variance = (1 - momentum_) * variance + momentum_ * call.input.var(axes, /*unbiased=*/false);
    average_.means[layer] = mean.detach();
    average_.variances[layer] = variance.detach();
  }
  if (source_share_ > 0) {
    mean = (1 - source_share_) * mean + source_share_ * call.mean;
    variance = (1 - source_share_) * variance + source_share_ * call.variance;
  }
  return updates_ ? normalise_differentiably(call, mean, variance) : normalise_with_given(call, mean, variance);
}

TORCH_LIBRARY(stad, library) {
  library.class_<Normaliser>("Normaliser");
  library.def("batch_norm", &batch_norm);
}

}  // namespace stad::backbone
