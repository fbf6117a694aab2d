#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <stad/matrix.hpp>
#include <stad/streams.hpp>

namespace stad::serving {

/// An output tensor: whether the client requests it, and as bytes after the JSON or as JSON numbers.
struct WantedOutput {
  bool wanted = false;
  bool binary = false;
  std::int64_t top_classes = 0;  ///< parameters.classification, of probabilities: as many strings a row; 0: numbers
};

/// POST /v2/models/{model}/infer of the Open Inference Protocol, version 2.
struct InferRequest {
  std::string id;      ///< echoed; empty: none
  std::string stream;  ///< parameters.sequence_id, a string or an integer; empty ("", 0): the model's default stream
  bool stream_is_number = false;          ///< the id was given as a number and is answered as one
  bool starts = false;                    ///< sequence_start: reset the state of the stream first
  bool ends = false;                      ///< sequence_end: remove the stream after this answer
  bool adapt = true;                      ///< false: predict without adapting
  std::optional<double> time;             ///< of the batch
  Matrix features;                        ///< N x D, or flattened images
  std::optional<ImageShape> image_shape;  ///< of the tensor `images`; none: `features`
  std::vector<std::int64_t> row_ids;      ///< N ids for labels that arrive later, or empty: the tensor `ids`

  WantedOutput label{.wanted = true};
  WantedOutput probabilities{.wanted = true};
  WantedOutput source_label;   ///< label of the unadapted classifier
  WantedOutput adapted_label;  ///< label of the adapted classifier, in shadow mode as well
};

struct TensorLimits {
  std::size_t rows = 65536;
  std::size_t values = std::size_t{1} << 24;  ///< N x D
};

/// Checks a stream name that did not come in a JSON body by the rules for those that do. Throws AppError.
/// @param field for the message
void check_stream_name(std::string_view field, std::string_view name);

/// Reads a request. Members may come in any order; unknown ones are ignored; known ones given twice are errors, and so
/// are inputs and outputs of unknown names. Features are JSON numbers, flat or nested like their shape, or bytes.
/// Finite values beyond float32 are errors; other non-finite values are left to the library. Throws AppError that
/// names field, value and rule.
/// @param json_length Inference-Header-Content-Length: where the JSON ends and tensors begin; none: the body is JSON
InferRequest read_infer_request(std::string_view body, std::optional<std::size_t> json_length,
                                const TensorLimits& limits);

/// Hash of the parts of a request that determine its effect and its response, outputs and their form included, so that
/// an id reused for another request is not mistaken for a repetition.
std::uint64_t digest_of(const InferRequest& request);

}  // namespace stad::serving
