#pragma once

#include <span>
#include <string>
#include <vector>

#include <stad/adapter_state.hpp>
#include <stad/error.hpp>

#include "torch/tensors.hpp"

namespace stad::backbone {

/// Something a method remembers: float, double or 64-bit integers of a shape that never changes.
struct Remembered {
  std::string name;
  at::Tensor values;
  double largest = 1e15;  ///< magnitude a state may put there
};
using Memory = std::vector<Remembered>;

/// Adds a list of tensors, each under "prefix.name".
void remember(Memory& memory, const std::string& prefix, std::span<const std::string> names, const Tensors& values);

/// The same values in memory of their own.
Memory copied(const Memory& memory);

/// Writes copied values back.
void put_back(const Memory& copy, const Memory& memory);

std::vector<stad::Tensor> to_state(const Memory& memory);

/// Writes the state's tensors into the memory, which must have the same names, types and shapes. Refused states change
/// nothing.
Status from_state(const AdapterState& state, const Memory& memory);

}  // namespace stad::backbone
