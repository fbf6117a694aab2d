#pragma once

#include "torch/tensors.hpp"

namespace stad::backbone {

// What the methods minimise, as functions of logits: N x K in, one value a sample or one in all out.

/// N: of the softmax.
at::Tensor entropy(const at::Tensor& logits);

/// N: of `logits` under the softmax of `target`, which no gradient reaches.
at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& target);

/// Mean entropy, less the entropy of the mean prediction, plus beta times the cross-entropy of labels the model is
/// sure of. No confident sample adds nothing.
at::Tensor information_loss(const at::Tensor& logits, double beta, double confidence);

/// N: -sum p log(p / (1 - p)), p clipped: unlike entropy its gradient does not fade for certain samples.
at::Tensor soft_likelihood_ratio(const at::Tensor& logits);

/// N: the mean of both cross-entropies.
at::Tensor symmetric_cross_entropy(const at::Tensor& logits, const at::Tensor& other);

}  // namespace stad::backbone
