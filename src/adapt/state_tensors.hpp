#pragma once

#include <string>
#include <vector>

#include <stad/adapter_state.hpp>
#include <stad/error.hpp>

#include "math/eigen.hpp"

namespace stad {

// Conversion between the values of a method and named tensors. A state is untrusted input: the readers return values of
// the expected shape, all finite, or an error that names the tensor.

template <typename Scalar>
Tensor to_tensor(std::string name, const Rows<Scalar>& values) {
  return {std::move(name),
          {values.rows(), values.cols()},
          std::vector<Scalar>(values.data(), values.data() + values.size())};
}
Tensor to_tensor(std::string name, const std::vector<double>& values);
Tensor to_tensor(std::string name, const std::vector<std::int64_t>& values);

inline constexpr Index kAnyLength = -1;
inline constexpr double kLargestTensorValue = 1e15;
inline constexpr double kWhole = 1 + 1e-9;  ///< the largest share of a whole, rounding included

/// For float and double. No value exceeds `most` in magnitude.
template <typename Scalar>
Result<Rows<Scalar>> read_rows(const AdapterState& state, const std::string& name, Index rows, Index cols,
                               double most = kLargestTensorValue);
/// The same, and every row has unit length.
template <typename Scalar>
Result<Rows<Scalar>> read_unit_rows(const AdapterState& state, const std::string& name, Index rows, Index cols);

/// No tensor more or less than the method writes.
Status check_tensor_count(const AdapterState& state, Index expected);

/// Whether a ring of this capacity can hold so many rows and write the next one at this position.
Status check_ring(const char* name, Index rows, Index next, Index capacity);

/// Every value within [least, most].
Result<std::vector<double>> read_doubles(const AdapterState& state, const std::string& name, Index length, double least,
                                         double most);
Result<std::vector<std::int64_t>> read_integers(const AdapterState& state, const std::string& name, Index length,
                                                std::int64_t least, std::int64_t most);

}  // namespace stad
