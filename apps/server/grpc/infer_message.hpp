#pragma once

#include <string>
#include <string_view>

#include "serving/protocol/infer_request.hpp"
#include "serving/protocol/infer_response.hpp"

namespace inference {  // generated from open_inference.proto
class ModelInferRequest;
}

namespace stad::server {

using namespace serving;

/// Reads a request by the rules of read_infer_request. Of the parameters, unknown names are ignored, and
/// `binary_data_output` too: responses always have raw contents. Throws AppError that names field, value and rule.
InferRequest request_from(const inference::ModelInferRequest& message, const TensorLimits& limits);

/// A serialized ModelInferResponse with the requested outputs as raw contents. A ResponseWriter.
InferResponse write_grpc_response(std::string_view model, const InferRequest& request, const InferAnswer& answer);

/// A serialized ModelStreamInferResponse.
/// @param response a serialized ModelInferResponse
std::string stream_response(std::string_view response);
/// @param id of the request; empty: none
std::string stream_error(std::string_view message, const std::string& id);

}  // namespace stad::server
