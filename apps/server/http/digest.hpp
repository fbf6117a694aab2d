#pragma once

#include <cstdint>

#include "server/protocol/infer_request.hpp"

namespace stad::server {

/// Of what a request asks to be learned, so that an id that is used again for something else is not mistaken for a
/// repetition.
std::uint64_t digest_of(const InferRequest& request);

}  // namespace stad::server
