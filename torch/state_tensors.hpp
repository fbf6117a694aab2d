#pragma once

#include <span>
#include <string>
#include <vector>

#include <stad/adapter_state.hpp>
#include <stad/error.hpp>

#include "torch/tensors.hpp"

namespace stad::backbone {

/// One tensor of a method's state: float, double or int64, of constant shape.
struct StateTensor {
  std::string name;
  at::Tensor values;
  double largest = 1e15;  ///< largest magnitude that a restored state may contain
};

/// The tensors share storage with the method that lists them, so that a state is restored by writing into them.
using StateTensors = std::vector<StateTensor>;

/// Appends the defined tensors of a list, each named "prefix.name".
void append_tensors(StateTensors& tensors, const std::string& prefix, std::span<const std::string> names,
                    const Tensors& values);

/// A copy with its own storage.
StateTensors cloned(const StateTensors& tensors);

/// Copies the values of `copy`, made by cloned(), into `tensors`.
void assign_values(const StateTensors& copy, const StateTensors& tensors);

std::vector<stad::Tensor> save_tensors(const StateTensors& tensors);

/// Copies the state's tensors into `tensors`, which must have the same names, types and shapes. On error nothing is
/// changed.
Status load_tensors(const AdapterState& state, const StateTensors& tensors);

}  // namespace stad::backbone
