#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "serving/protocol/infer_request.hpp"
#include "serving/protocol/tensor.hpp"

// The rules of a request that do not depend on its encoding: the readers of JSON (REST) and of protocol buffers (gRPC)
// apply them, so that both accept the same requests and reject others with the same messages.

namespace stad::serving {

/// Position of a value in the request: a chain on the stack that is converted to text only for an error.
struct JsonPath {
  const JsonPath* parent = nullptr;  ///< none: the whole body
  std::string_view name = {};        ///< of a member
  std::size_t index = 0;             ///< of an element, where name is empty

  std::string text() const;  ///< "inputs[0].shape"
};

inline constexpr std::string_view kFloatRule = "must be a number of float32's range, +-3.4028235e+38";
inline constexpr std::string_view kWholeRule = "must be a whole number of 64 bits";
inline constexpr std::string_view kSequenceRule = "must be a text or a whole number from 0 to 18446744073709551615";
inline constexpr std::string_view kReservedStreamRule = "which is reserved for the default stream in URLs";
inline constexpr std::string_view kControlRule = "must have no control characters";
inline constexpr std::string_view kDatatypeRule = "must be FP32, FP64 or FP16 for features and images, INT64 for ids";
inline constexpr std::string_view kClassificationRule = "must be a number of classes from 1 to 1000000";
inline constexpr std::string_view kOutputRule = "must be label, probabilities, source_label or adapted_label";

/// At most 60 bytes, cut between characters of UTF-8, control characters replaced.
std::string shortened(std::string_view text);

/// Throws AppError where the text of an id or of a stream has more than 256 bytes.
void check_length(std::string_view text, const JsonPath& path);
/// @param text UTF-8
bool has_control_characters(std::string_view text);

/// The stream of a whole number: 0 means no sequence, as in Triton; 7 and "7" name the same stream.
std::string stream_of_number(std::uint64_t number);

struct TensorShape {
  static constexpr std::size_t kMaxDimensions = 8;

  std::array<std::int64_t, kMaxDimensions> counts{};
  std::size_t dimensions = 0;

  /// Throws AppError where there are too many counts.
  void add(std::int64_t count, const JsonPath& path);
  std::span<const std::int64_t> all() const { return {counts.data(), dimensions}; }
  std::string text() const;
};

/// The members of one of `inputs` that were read so far, in any order.
struct InputTensor {
  const JsonPath& path;
  std::optional<std::string_view> name = {};
  std::optional<Datatype> datatype = {};
  std::optional<TensorShape> shape = {};
  std::optional<std::int64_t> binary_size = {};
  bool has_data = false;

  bool is_ids() const { return *name == "ids"; }
  bool are_images() const { return *name == "images"; }
  bool is_described() const { return name && datatype && shape; }
  std::size_t rows() const { return static_cast<std::size_t>(shape->counts[0]); }
  std::size_t columns() const {  ///< requires a checked shape
    std::size_t product = 1;
    for (const auto count : shape->all().subspan(1)) product *= static_cast<std::size_t>(count);
    return product;
  }
  std::size_t values() const { return rows() * columns(); }
  std::size_t bytes() const { return values() * bytes_of(*datatype); }

  [[noreturn]] void reject_member(std::string_view member, const std::string& violation, int status = 400) const;
};

/// Checks name, shape and datatype, and that no input before it has the name. Throws AppError.
void check_input(const InputTensor& input, const TensorLimits& limits, InferRequest& request);
/// Stores the values of a checked input. Throws AppError where one is beyond float32.
/// @param bytes as many as the shape and the datatype require, little-endian
void store_values(const InputTensor& input, std::string_view bytes, InferRequest& request);
/// Throws AppError where there are no features or the inputs have different numbers of rows.
void check_rows(const InferRequest& request);

struct OutputName {
  std::string_view name;
  WantedOutput InferRequest::*wanted;
};
inline constexpr std::array kOutputs{
    OutputName{"label", &InferRequest::label}, OutputName{"probabilities", &InferRequest::probabilities},
    OutputName{"source_label", &InferRequest::source_label}, OutputName{"adapted_label", &InferRequest::adapted_label}};

/// Index in kOutputs; none: no output has the name.
std::optional<std::size_t> output_named(std::string_view name);
void deselect_outputs(InferRequest& request);
/// Throws AppError where the output is selected already, or cannot be given as classes.
/// @param top_classes the parameter classification
void select_output(InferRequest& request, std::size_t output, const JsonPath& path,
                   std::optional<std::int64_t> top_classes = std::nullopt);

}  // namespace stad::serving
