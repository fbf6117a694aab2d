#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <stad/predictions.hpp>

#include "common/error.hpp"
#include "serving/protocol/infer_request.hpp"

namespace stad::serving {

/// The result of a request. Labels and probabilities are those of the adapted classifier, in shadow mode those of the
/// source.
struct InferAnswer {
  std::vector<std::int64_t> labels;          ///< N
  Matrix probabilities;                      ///< N x K
  std::span<const std::string> class_names;  ///< K, or empty: the classes have no names
  std::vector<std::int64_t> source_labels;   ///< N where requested, else empty
  std::vector<std::int64_t> adapted_labels;  ///< N where requested, else empty
  std::int64_t batch = 0;                    ///< number of batches the stream has adapted to
  std::string_view mode;                     ///< "active", "shadow" or "frozen"
};

struct InferResponse {
  std::string body;
  std::optional<std::size_t> json_length;  ///< none: the body is JSON
};

using InferOutcome = std::variant<InferResponse, AppError>;

/// Encodes an answer for a transport.
using ResponseWriter = InferResponse (*)(std::string_view model, const InferRequest& request,
                                         const InferAnswer& answer);

/// The requested outputs as JSON, or as bytes after the JSON: the response of REST.
InferResponse write_infer_response(std::string_view model, const InferRequest& request, const InferAnswer& answer);

}  // namespace stad::serving
