#include "torch/memory.hpp"

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

bool is_sound(const stad::Tensor::Values& values, double largest) {
  return std::visit(
      [=](const auto& list) {
        return std::all_of(list.begin(), list.end(),
                           [=](auto value) { return std::abs(static_cast<double>(value)) <= largest; });
      },
      values);
}

Result<const stad::Tensor*> find(const AdapterState& state, const Remembered& wanted) {
  const stad::Tensor* found = state.find(wanted.name);
  if (!found) return invalid(fmt::format("state: has no tensor {}, must have one", wanted.name));
  const bool same_type = found->values.index() == to_values(wanted.values).index();
  if (!same_type || found->shape != shape_of(wanted.values))
    return invalid(fmt::format("state: tensor {} has another type or shape than this network\'s, must have the same",
                               wanted.name));
  if (!is_sound(found->values, wanted.largest))
    return invalid(
        fmt::format("state: tensor {} has a value that is not finite or beyond {:g}", wanted.name, wanted.largest));
  return found;
}

void copy(const stad::Tensor& from, const at::Tensor& to) {
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

void remember(Memory& memory, const std::string& prefix, std::span<const std::string> names, const Tensors& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i].defined()) memory.push_back({prefix + "." + names[i], values[i]});
}

Memory copied(const Memory& memory) {
  Memory copy;
  for (const Remembered& one : memory) copy.push_back({one.name, one.values.detach().clone()});
  return copy;
}

void put_back(const Memory& copy, const Memory& memory) {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i].values.copy_(copy[i].values);
}

std::vector<stad::Tensor> to_state(const Memory& memory) {
  std::vector<stad::Tensor> tensors;
  for (const Remembered& one : memory) tensors.push_back({one.name, shape_of(one.values), to_values(one.values)});
  return tensors;
}

Status from_state(const AdapterState& state, const Memory& memory) {
  if (state.tensors.size() != memory.size())
    return invalid(fmt::format("state: has {} tensors, must have {}", state.tensors.size(), memory.size()));
  std::vector<const stad::Tensor*> found;
  for (const Remembered& one : memory) {
    STAD_ASSIGN(found.emplace_back(), find(state, one));
  }
  for (std::size_t i = 0; i < memory.size(); ++i) copy(*found[i], memory[i].values);
  return {};
}

}  // namespace stad::backbone
