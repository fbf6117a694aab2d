#pragma once

#include <string>
#include <vector>

#include <stad/error.hpp>

#include "torch/memory.hpp"

namespace stad::backbone {

/// Weights of a network of which some are trained.
class Student {
 public:
  Student(const Tensors& weights, std::vector<std::size_t> trained);

  const Tensors& weights() const { return weights_; }
  /// The trained ones. They share memory with weights().
  const Tensors& trained() const { return trained_; }
  const std::vector<std::size_t>& places() const { return places_; }

  /// Of the loss, for trained(). A loss or gradient that is not finite is refused.
  Result<Tensors> gradients(const at::Tensor& loss) const;

  /// Takes these values for trained().
  void set(const Tensors& values);

  /// Of a list with one item for each weight, those that stand for trained().
  template <typename Item>
  std::vector<Item> at_places(const std::vector<Item>& of_weights) const {
    std::vector<Item> items;
    for (const std::size_t place : places_) items.push_back(of_weights[place]);
    return items;
  }

 private:
  Tensors weights_;
  std::vector<std::size_t> places_;
  Tensors trained_;
};

/// Copies that share nothing.
Tensors copies(const Tensors& values);

/// average = keep average + (1 - keep) values, in place.
void move_towards(const Tensors& average, const Tensors& values, double keep);

}  // namespace stad::backbone
