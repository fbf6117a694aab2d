#pragma once

#include <string_view>

#include "serving/protocol/infer_request.hpp"
#include "serving/protocol/json_reader.hpp"

namespace stad::serving {

/// The bytes after the JSON: the binary tensors, in the order of the inputs.
struct BinaryPart {
  std::string_view rest;  ///< not read yet
  bool is_there = false;  ///< the request has Inference-Header-Content-Length
};

/// Rejects (501) the parameter shared_memory_region of an input or output.
[[noreturn]] void reject_shared_memory(json::value value, const JsonPath& path);

/// Reads one of `inputs` (`features`, `images` or `ids`) into the request; consumes its bytes of the binary part.
void read_input(JsonReader& reader, json::value value, const JsonPath& path, BinaryPart& binary,
                const TensorLimits& limits, InferRequest& request);

}  // namespace stad::serving
