#include <stad/adapter_state.hpp>

#include <algorithm>

namespace stad {

const Tensor* AdapterState::find(std::string_view name) const {
  const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

}  // namespace stad
