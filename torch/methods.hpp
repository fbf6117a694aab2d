#pragma once

#include <string_view>

#include <stad/methods.hpp>

#include "torch/network_adapter.hpp"

namespace stad::backbone {

/// Any method except the oracle, which requires labels.
/// @param method its name, such as "tent", "stad-vmf" or "stad-vmf+bn"
Result<AdapterPointer> make_network_adapter(std::string_view method, SourceNetwork source_network,
                                            const OptionValues& values);

}  // namespace stad::backbone
