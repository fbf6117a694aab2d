#pragma once

#include <string>
#include <string_view>

#include <stad/adapter_state.hpp>
#include <stad/error.hpp>

#include "io/bytes.hpp"

namespace stad {

// The layout is in docs/formats.md. One state has one encoding: equal states give equal bytes, and what is accepted
// encodes to itself.

/// The two control characters break when a transfer mangles line ends.
inline constexpr std::string_view kStateMagic{"STADST\x1a\n", 8};
inline constexpr std::uint32_t kStateVersion = 1;

/// Every tensor must have as many values as its shape says.
std::string encode_state(const AdapterState& state);

/// Total: any bytes give a state or an error.
Result<AdapterState> decode_state(Bytes file);

}  // namespace stad
