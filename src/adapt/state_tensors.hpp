#pragma once

#include <string>
#include <vector>

#include <stad/adapter_state.hpp>
#include <stad/error.hpp>

#include "math/eigen.hpp"

namespace stad {

// Between what a method keeps and named tensors. The readers promise the shape and finite values, or say which
// tensor broke the promise: a state may come from anywhere.

Tensor to_tensor(std::string name, const Matrix& values);
Tensor to_tensor(std::string name, const DoubleRows& values);
Tensor to_tensor(std::string name, const std::vector<double>& values);
Tensor to_tensor(std::string name, const std::vector<std::int64_t>& values);

inline constexpr Index kAnyLength = -1;

Result<Matrix> read_matrix(const AdapterState& state, const std::string& name, Index rows, Index cols);
Result<DoubleRows> read_double_matrix(const AdapterState& state, const std::string& name, Index rows, Index cols);
Result<std::vector<double>> read_doubles(const AdapterState& state, const std::string& name, Index length);
/// Every value within [least, most].
Result<std::vector<std::int64_t>> read_integers(const AdapterState& state, const std::string& name, Index length,
                                                std::int64_t least, std::int64_t most);

}  // namespace stad
