#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stad/predictions.hpp>

#include "server/protocol/infer_request.hpp"

namespace stad::server {

/// What the service found for a request. Labels and probabilities are those the client is served: the adapted
/// classifier's, or in shadow mode the source's.
struct InferAnswer {
  std::vector<std::int64_t> labels;          ///< N
  Matrix probabilities;                      ///< N x K
  std::vector<std::int64_t> source_labels;   ///< N where wanted, else empty
  std::vector<std::int64_t> adapted_labels;  ///< N where wanted, else empty
  std::vector<float> unknown;                ///< N where the method tells, else empty
  std::int64_t batch = 0;                    ///< how many batches the stream has learned from
  std::string_view mode;                     ///< "active", "shadow" or "frozen"
};

struct InferResponse {
  std::string body;
  std::optional<std::size_t> json_length;  ///< none: the body is JSON
};

/// Throws Refusal where an output was asked for that the method does not give.
InferResponse write_infer_response(std::string_view model, const InferRequest& request, const InferAnswer& answer);

}  // namespace stad::server
