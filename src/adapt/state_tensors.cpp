#include "adapt/state_tensors.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/try.hpp"

namespace stad {
namespace {

bool fits(const std::vector<Index>& shape, const std::vector<Index>& expected) {
  return std::equal(shape.begin(), shape.end(), expected.begin(), expected.end(),
                    [](Index found, Index wanted) { return found >= 0 && (wanted == kAnyLength || found == wanted); });
}

Index count_of(const std::vector<Index>& shape) {
  Index count = 1;
  for (const Index extent : shape) count *= extent;
  return count;
}

/// The tensor if its shape and type are as expected. Readers check its values.
template <typename Scalar>
Result<const Tensor*> find_tensor(const AdapterState& state, const std::string& name,
                                  const std::vector<Index>& expected) {
  const Tensor* tensor = state.find(name);
  if (!tensor) return invalid(fmt::format("state: tensor {} is missing", name));
  if (!fits(tensor->shape, expected))
    return invalid(fmt::format("state: tensor {} has shape [{}], must have [{}] (-1: any length)", name,
                               fmt::join(tensor->shape, ", "), fmt::join(expected, ", ")));
  const auto* values = std::get_if<std::vector<Scalar>>(&tensor->values);
  if (!values) return invalid(fmt::format("state: tensor {} has the wrong type", name));
  if (static_cast<Index>(values->size()) != count_of(tensor->shape))
    return invalid(fmt::format("state: tensor {} has {} values, which does not match its shape", name, values->size()));
  return tensor;
}

template <typename Scalar>
const std::vector<Scalar>& values_of(const Tensor* tensor) {
  return std::get<std::vector<Scalar>>(tensor->values);
}

template <typename Scalar>
Status check_magnitudes(const std::vector<Scalar>& values, const std::string& name, double most) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(std::abs(static_cast<double>(values[i])) <= most))
      return invalid(fmt::format("state: tensor {} value {} is {}, must be finite and at most {:g} in magnitude", name,
                                 i, values[i], most));
  return {};
}

template <typename Scalar>
Result<std::vector<Scalar>> read_bounded(const AdapterState& state, const std::string& name, Index length, Scalar least,
                                         Scalar most) {
  STAD_ASSIGN(const Tensor* tensor, find_tensor<Scalar>(state, name, {length}));
  const auto& values = values_of<Scalar>(tensor);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] >= least && values[i] <= most))  // NaN is neither
      return invalid(
          fmt::format("state: tensor {} value {} is {}, must be from {} to {}", name, i, values[i], least, most));
  return values;
}

}  // namespace

Tensor to_tensor(std::string name, const std::vector<double>& values) {
  return {std::move(name), {static_cast<Index>(values.size())}, values};
}

Tensor to_tensor(std::string name, const std::vector<std::int64_t>& values) {
  return {std::move(name), {static_cast<Index>(values.size())}, values};
}

template <typename Scalar>
Result<Rows<Scalar>> read_rows(const AdapterState& state, const std::string& name, Index rows, Index cols,
                               double most) {
  STAD_ASSIGN(const Tensor* tensor, find_tensor<Scalar>(state, name, {rows, cols}));
  const auto& values = values_of<Scalar>(tensor);
  STAD_TRY(check_magnitudes(values, name, most));
  Rows<Scalar> result(tensor->shape[0], tensor->shape[1]);
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

template Result<Rows<float>> read_rows(const AdapterState&, const std::string&, Index, Index, double);
template Result<Rows<double>> read_rows(const AdapterState&, const std::string&, Index, Index, double);

template <typename Scalar>
Result<Rows<Scalar>> read_unit_rows(const AdapterState& state, const std::string& name, Index rows, Index cols) {
  constexpr double kRounding = 1e-4;
  STAD_ASSIGN(Rows<Scalar> result, read_rows<Scalar>(state, name, rows, cols));
  for (Index r = 0; r < result.rows(); ++r)
    if (const double norm = result.row(r).template cast<double>().norm(); std::abs(norm - 1) > kRounding)
      return invalid(fmt::format("state: tensor {} row {} has length {}, must have length 1", name, r, norm));
  return result;
}

template Result<Rows<float>> read_unit_rows(const AdapterState&, const std::string&, Index, Index);
template Result<Rows<double>> read_unit_rows(const AdapterState&, const std::string&, Index, Index);

Status check_tensor_count(const AdapterState& state, Index expected) {
  if (static_cast<Index>(state.tensors.size()) == expected) return {};
  return invalid(fmt::format("state: holds {} tensors, must hold {}", state.tensors.size(), expected));
}

Status check_ring(const char* name, Index rows, Index next, Index capacity) {
  if (rows < capacity ? next == rows : rows == capacity && next >= 0 && next < capacity) return {};
  return invalid(fmt::format("state: tensor {} has {} rows and continues at {}, which a ring of {} rows cannot", name,
                             rows, next, capacity));
}

Result<std::vector<double>> read_doubles(const AdapterState& state, const std::string& name, Index length, double least,
                                         double most) {
  return read_bounded<double>(state, name, length, least, most);
}

Result<std::vector<std::int64_t>> read_integers(const AdapterState& state, const std::string& name, Index length,
                                                std::int64_t least, std::int64_t most) {
  return read_bounded<std::int64_t>(state, name, length, least, most);
}

}  // namespace stad
