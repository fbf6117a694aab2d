#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <stad/adapter_state.hpp>

namespace stad {

// What the encoder and the decoder of state files agree on.

inline constexpr std::size_t kStateChecksumOffset = 20;  ///< after magic, version and payload length
inline constexpr std::size_t kStatePayloadOffset = 24;
inline constexpr std::size_t kMostTensorDimensions = 32;

/// CRC-32 of everything but itself, so that a changed version or length is noticed as well.
std::uint32_t state_checksum(std::string_view start, std::string_view payload);

/// The product of the shape is the number of values.
bool has_matching_shape(const Tensor& tensor);

}  // namespace stad
