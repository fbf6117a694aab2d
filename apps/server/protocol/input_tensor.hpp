#pragma once

#include <string_view>

#include "server/protocol/infer_request.hpp"
#include "server/protocol/json_reader.hpp"

namespace stad::server {

/// What follows the JSON: the binary tensors, in the order of the inputs.
struct BinaryPart {
  std::string_view rest;  ///< not taken yet
  bool is_there = false;  ///< the request has Inference-Header-Content-Length
};

/// Reads one of `inputs` into the request: `features` or `ids`. Takes its bytes from the binary part.
void read_input(JsonReader& reader, json::value input, const Place& place, BinaryPart& binary,
                const TensorLimits& limits, InferRequest& request);

}  // namespace stad::server
