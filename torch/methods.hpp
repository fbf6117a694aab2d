#pragma once

#include <string_view>

#include <stad/methods.hpp>

#include "torch/network_adapter.hpp"

namespace stad::backbone {

/// Any method but the oracle.
Result<AdapterPointer> make_network_adapter(std::string_view method, Start start, const OptionValues& values);

}  // namespace stad::backbone
