#pragma once

#include <string>
#include <vector>

#include <stad/error.hpp>

#include "torch/state_tensors.hpp"
#include "torch/tensors.hpp"

namespace stad::backbone {

// Gradients, optimisers and losses of the methods that train a network.
//
// The optimisers of torch key their state by the address of a parameter. These keep it in a list of tensors, which an
// adapter saves and restores with the rest of its state.

/// Stochastic gradient descent with momentum.
struct Sgd {
  double learning_rate = 0;
  double momentum = 0;
  Tensors velocity;  ///< one tensor of the same shape for each trained tensor

  Sgd(const Tensors& trained, double learning_rate, double momentum);
  void step(const Tensors& trained, const Tensors& gradients);
  /// @param names of the trained tensors
  void append_state(StateTensors& tensors, const std::vector<std::string>& names) const;
};

/// Adam (Kingma and Ba, 2015) with the published decay rates 0.9 and 0.999.
struct Adam {
  double learning_rate = 0;
  at::Tensor steps;  ///< scalar int64
  Tensors first;     ///< moving mean of the gradients
  Tensors second;    ///< moving mean of the squared gradients

  Adam(const Tensors& trained, double learning_rate);
  void step(const Tensors& trained, const Tensors& gradients);
  /// @param names of the trained tensors
  void append_state(StateTensors& tensors, const std::vector<std::string>& names) const;
};

Tensors zeros_like(const Tensors& values);

/// A copy of a network's weights of which a subset is trained.
class TrainableWeights {
 public:
  TrainableWeights(const Tensors& weights, std::vector<std::size_t> trained);

  const Tensors& weights() const { return weights_; }
  /// The trained subset, sharing storage with weights().
  const Tensors& trained() const { return trained_; }
  /// Indices of the trained subset among weights().
  const std::vector<std::size_t>& indices() const { return indices_; }

  /// Gradients of the loss for trained(); an error if the loss or a gradient is not finite.
  Result<Tensors> gradients(const at::Tensor& loss) const;

  /// Copies the values into trained().
  void set(const Tensors& values);

  /// Selects the items of trained() from a list with one item for each weight.
  template <typename Item>
  std::vector<Item> select_trained(const std::vector<Item>& of_weights) const {
    std::vector<Item> items;
    for (const std::size_t index : indices_) items.push_back(of_weights[index]);
    return items;
  }

 private:
  Tensors weights_;
  std::vector<std::size_t> indices_;
  Tensors trained_;
};

/// Copies with their own storage; undefined tensors stay undefined.
Tensors clones(const Tensors& values);

/// average = keep average + (1 - keep) values, in place.
void update_moving_average(const Tensors& average, const Tensors& values, double keep);

// Losses as functions of N x K logits: one value for each sample (N) or a scalar.

/// N: entropy of the softmax.
at::Tensor entropy(const at::Tensor& logits);

/// N: cross-entropy of `logits` under the softmax of `target`; the target is detached from the gradient.
at::Tensor cross_entropy(const at::Tensor& logits, const at::Tensor& target);

/// Scalar: mean entropy, minus the entropy of the mean prediction, plus beta times the cross-entropy of pseudo-labels
/// over samples whose largest probability exceeds `confidence` (zero if there are none).
at::Tensor information_loss(const at::Tensor& logits, double beta, double confidence);

/// N: -sum p log(p / (1 - p)) with p clipped to 0.99. Unlike that of the entropy, its gradient does not vanish for
/// confident samples.
at::Tensor soft_likelihood_ratio(const at::Tensor& logits);

/// N: mean of the cross-entropies in both directions.
at::Tensor symmetric_cross_entropy(const at::Tensor& logits, const at::Tensor& other);

}  // namespace stad::backbone
