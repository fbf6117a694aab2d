#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stad/matrix.hpp>
#include <stad/streams.hpp>

namespace stad::server {

/// An output tensor: whether the client wants it, and as bytes after the JSON or as JSON numbers.
struct WantedOutput {
  bool wanted = false;
  bool binary = false;
};

/// POST /v2/models/{model}/infer of the Open Inference Protocol, version 2.
struct InferRequest {
  std::string id;       ///< echoed; empty: none
  std::string stream;   ///< parameters.sequence_id, a text or an integer; empty ("", 0): the model's default stream
  bool starts = false;  ///< sequence_start: forget what the stream had learned
  bool ends = false;    ///< sequence_end: drop the stream after this answer
  bool adapt = true;    ///< false: answer without learning
  std::optional<double> time;             ///< of the batch
  Matrix features;                        ///< N x D, or flat images
  std::optional<ImageShape> image_shape;  ///< of the tensor `images`; none: `features`
  std::vector<std::int64_t> row_ids;      ///< N names for labels that come later, or empty: the tensor `ids`

  WantedOutput label{.wanted = true};
  WantedOutput probabilities{.wanted = true};
  WantedOutput source_label;   ///< what the unadapted classifier answers
  WantedOutput adapted_label;  ///< what the adapted one answers, whoever's answer `label` is
  WantedOutput unknown;        ///< probability of a row to be of none of the classes
};

struct TensorLimits {
  std::size_t rows = 65536;
  std::size_t values = std::size_t{1} << 24;  ///< N x D
};

/// A stream's name that is not a text or number of JSON: refused as one of a request would be. Throws Refusal.
/// @param field for the message
void check_stream_name(std::string_view field, std::string_view name);

/// Throws Refusal, which names the field, the value and the rule. Members come in any order; unknown ones are ignored,
/// known ones that come twice are refused, and so are inputs and outputs of unknown names. Features are JSON numbers,
/// flat or nested as their shape, or bytes; a finite value beyond float32 is refused, others are left to the library.
/// @param json_length Inference-Header-Content-Length: where the JSON ends and tensors begin; none: the body is JSON
InferRequest read_infer_request(std::string_view body, std::optional<std::size_t> json_length,
                                const TensorLimits& limits);

}  // namespace stad::server
