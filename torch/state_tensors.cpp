#include "torch/state_tensors.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/try.hpp"

namespace stad::backbone {
namespace {

std::vector<Index> shape_of(const at::Tensor& values) { return {values.sizes().begin(), values.sizes().end()}; }

template <typename Value>
std::vector<Value> values_of(const at::Tensor& values) {
  const at::Tensor flat = values.detach().contiguous();
  const auto* first = flat.data_ptr<Value>();
  return {first, first + flat.numel()};
}

stad::Tensor::Values to_values(const at::Tensor& values) {
  if (values.scalar_type() == at::kLong) return values_of<std::int64_t>(values);
  if (values.scalar_type() == at::kDouble) return values_of<double>(values);
  return values_of<float>(values);
}

bool is_bounded(const stad::Tensor::Values& values, double largest) {
  return std::visit(
      [=](const auto& list) {
        return std::all_of(list.begin(), list.end(),
                           [=](auto value) { return std::abs(static_cast<double>(value)) <= largest; });
      },
      values);
}

Result<const stad::Tensor*> find_tensor(const AdapterState& state, const StateTensor& expected) {
  const stad::Tensor* found = state.find(expected.name);
  if (!found) return invalid(fmt::format("state: tensor {} is missing", expected.name));
  const bool same_type = found->values.index() == to_values(expected.values).index();
  if (!same_type || found->shape != shape_of(expected.values))
    return invalid(
        fmt::format("state: type or shape of tensor {} differs from this network's, must be the same", expected.name));
  if (!is_bounded(found->values, expected.largest))
    return invalid(fmt::format("state: tensor {} has a value that is not finite or larger than {:g} in magnitude",
                               expected.name, expected.largest));
  return found;
}

void copy_values(const stad::Tensor& from, const at::Tensor& to) {
  const at::NoGradGuard no_grad;
  std::visit(
      [&](const auto& list) {
        using Value = typename std::decay_t<decltype(list)>::value_type;
        const at::Tensor values = at::from_blob(const_cast<Value*>(list.data()), to.sizes(), to.scalar_type());
        to.copy_(values);
      },
      from.values);
}

}  // namespace

void append_tensors(StateTensors& tensors, const std::string& prefix, std::span<const std::string> names,
                    const Tensors& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i].defined()) tensors.push_back({prefix + "." + names[i], values[i]});
}

StateTensors cloned(const StateTensors& tensors) {
  StateTensors copy;
  for (const StateTensor& one : tensors) copy.push_back({one.name, one.values.detach().clone()});
  return copy;
}

void assign_values(const StateTensors& copy, const StateTensors& tensors) {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < tensors.size(); ++i) tensors[i].values.copy_(copy[i].values);
}

std::vector<stad::Tensor> save_tensors(const StateTensors& tensors) {
  std::vector<stad::Tensor> saved;
  for (const StateTensor& one : tensors) saved.push_back({one.name, shape_of(one.values), to_values(one.values)});
  return saved;
}

Status load_tensors(const AdapterState& state, const StateTensors& tensors) {
  if (state.tensors.size() != tensors.size())
    return invalid(fmt::format("state: has {} tensors, must have {}", state.tensors.size(), tensors.size()));
  std::vector<const stad::Tensor*> found;
  for (const StateTensor& one : tensors) {
    STAD_ASSIGN(found.emplace_back(), find_tensor(state, one));
  }
  for (std::size_t i = 0; i < tensors.size(); ++i) copy_values(*found[i], tensors[i].values);
  return {};
}

}  // namespace stad::backbone
