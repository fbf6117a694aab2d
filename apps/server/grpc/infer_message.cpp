#include "server/grpc/infer_message.hpp"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <open_inference.pb.h>

#include "common/error.hpp"
#include "serving/protocol/output_tensor.hpp"
#include "serving/protocol/request_rules.hpp"

namespace stad::server {
namespace {

using inference::InferParameter;
using inference::InferTensorContents;
using inference::ModelInferRequest;
using Input = ModelInferRequest::InferInputTensor;
using Choice = InferParameter::ParameterChoiceCase;

/// A parameter as it appears in an error.
std::string text_of(const InferParameter& parameter) {
  switch (parameter.parameter_choice_case()) {
    case Choice::kBoolParam:
      return parameter.bool_param() ? "true" : "false";
    case Choice::kInt64Param:
      return fmt::to_string(parameter.int64_param());
    case Choice::kUint64Param:
      return fmt::to_string(parameter.uint64_param());
    case Choice::kDoubleParam:
      return fmt::to_string(parameter.double_param());
    case Choice::kStringParam:
      return fmt::format("\"{}\"", shortened(parameter.string_param()));
    case Choice::PARAMETER_CHOICE_NOT_SET:
      break;
  }
  return "not set";
}

[[noreturn]] void reject_parameter(const InferParameter& parameter, const JsonPath& path, std::string_view rule) {
  reject(400, fmt::format("{} is {}, {}", path.text(), text_of(parameter), rule));
}

std::string short_text(const std::string& text, const JsonPath& path) {
  check_length(text, path);
  if (has_control_characters(text))
    reject(400, fmt::format("{} is \"{}\", {}", path.text(), shortened(text), kControlRule));
  return text;
}

void read_stream(const InferParameter& parameter, const JsonPath& path, InferRequest& request) {
  if (parameter.has_string_param()) {
    if (parameter.string_param() == "-") reject_parameter(parameter, path, kReservedStreamRule);
    request.stream = short_text(parameter.string_param(), path);
    return;
  }
  const bool is_number = parameter.has_uint64_param() || (parameter.has_int64_param() && parameter.int64_param() >= 0);
  if (!is_number) reject_parameter(parameter, path, kSequenceRule);
  request.stream = stream_of_number(parameter.has_uint64_param() ? parameter.uint64_param()
                                                                 : static_cast<std::uint64_t>(parameter.int64_param()));
  request.stream_is_number = true;
}

std::uint64_t number_of_stream(const std::string& stream) {
  std::uint64_t number = 0;  // of the empty name
  std::from_chars(stream.data(), stream.data() + stream.size(), number);
  return number;
}

bool read_flag(const InferParameter& parameter, const JsonPath& path) {
  if (!parameter.has_bool_param()) reject_parameter(parameter, path, "must be true or false");
  return parameter.bool_param();
}

double read_time(const InferParameter& parameter, const JsonPath& path) {
  if (parameter.has_int64_param()) return static_cast<double>(parameter.int64_param());
  if (parameter.has_uint64_param()) return static_cast<double>(parameter.uint64_param());
  if (!parameter.has_double_param() || !std::isfinite(parameter.double_param()))  // JSON has no other numbers
    reject_parameter(parameter, path, "must be a number");
  return parameter.double_param();
}

void read_parameters(const ModelInferRequest& message, const JsonPath& path, InferRequest& request) {
  for (const auto& [name, parameter] : message.parameters()) {
    const JsonPath at{&path, name};
    if (name == "sequence_id")
      read_stream(parameter, at, request);
    else if (name == "sequence_start")
      request.starts = read_flag(parameter, at);
    else if (name == "sequence_end")
      request.ends = read_flag(parameter, at);
    else if (name == "adapt")
      request.adapt = read_flag(parameter, at);
    else if (name == "time")
      request.time = read_time(parameter, at);
    else if (name == "binary_data_output")
      read_flag(parameter, at);
  }
}

template <typename T>
std::string_view bytes_of_values(const google::protobuf::RepeatedField<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), static_cast<std::size_t>(values.size()) * sizeof(T)};
}

/// The values of the field that matches the datatype.
std::string_view typed_bytes(const InputTensor& input, const InferTensorContents& contents) {
  if (*input.datatype == Datatype::kFp32) return bytes_of_values(contents.fp32_contents());
  if (*input.datatype == Datatype::kFp64) return bytes_of_values(contents.fp64_contents());
  if (*input.datatype == Datatype::kInt64) return bytes_of_values(contents.int64_contents());
  input.reject_member("contents", "have no field for FP16: send raw_input_contents");
}

InputTensor describe(const Input& message, const JsonPath& path) {
  InputTensor input{.path = path};
  if (!message.name().empty()) input.name = message.name();
  if (!message.datatype().empty()) {
    input.datatype = datatype_named(message.datatype());
    if (!input.datatype)
      input.reject_member("datatype", fmt::format("is \"{}\", {}", shortened(message.datatype()), kDatatypeRule));
  }
  const JsonPath at{&path, "shape"};
  if (message.shape_size() > 0) input.shape.emplace();
  for (const auto count : message.shape()) input.shape->add(count, at);
  return input;
}

void check_raw_contents(const ModelInferRequest& message) {
  if (message.raw_input_contents_size() == message.inputs_size() || message.raw_input_contents_size() == 0) return;
  reject(400, fmt::format("raw_input_contents has {} elements, must have one for each of the {} inputs",
                          message.raw_input_contents_size(), message.inputs_size()));
}

std::string_view bytes_of_input(const ModelInferRequest& message, int index, const InputTensor& input) {
  const bool is_raw = message.raw_input_contents_size() > 0;
  if (is_raw && message.inputs(index).has_contents())
    input.reject_member("contents", "are given beside raw_input_contents, must be one of them");
  const std::string_view bytes =
      is_raw ? message.raw_input_contents(index) : typed_bytes(input, message.inputs(index).contents());
  if (bytes.size() == input.bytes()) return bytes;
  const std::string where = is_raw ? fmt::format("raw_input_contents[{}]", index) : input.path.text() + ".contents";
  reject(400, fmt::format("{} has {} bytes, must have {}: the shape is {} of {}", where, bytes.size(), input.bytes(),
                          input.shape->text(), name_of(*input.datatype)));
}

void read_inputs(const ModelInferRequest& message, const JsonPath& path, const TensorLimits& limits,
                 InferRequest& request) {
  check_raw_contents(message);
  for (int i = 0; i < message.inputs_size(); ++i) {
    const JsonPath at{&path, {}, static_cast<std::size_t>(i)};
    const InputTensor input = describe(message.inputs(i), at);
    check_input(input, limits, request);
    store_values(input, bytes_of_input(message, i, input), request);
  }
}

std::optional<std::int64_t> read_classification(const ModelInferRequest::InferRequestedOutputTensor& output,
                                                const JsonPath& path) {
  const auto found = output.parameters().find("classification");
  if (found == output.parameters().end()) return std::nullopt;
  if (!found->second.has_int64_param()) {
    const JsonPath parameters{&path, "parameters"};
    reject_parameter(found->second, {&parameters, "classification"}, kClassificationRule);
  }
  return found->second.int64_param();
}

void read_outputs(const ModelInferRequest& message, const JsonPath& path, InferRequest& request) {
  if (message.outputs_size() > 0) deselect_outputs(request);
  for (int i = 0; i < message.outputs_size(); ++i) {
    const std::string& name = message.outputs(i).name();
    const JsonPath at{&path, {}, static_cast<std::size_t>(i)};
    if (name.empty()) reject(400, at.text() + ".name is missing");
    const auto output = output_named(name);
    if (!output) reject(400, fmt::format("{}.name is \"{}\", {}", at.text(), shortened(name), kOutputRule));
    select_output(request, *output, at, read_classification(message.outputs(i), at));
  }
}

void add_output(const OutputTensor& tensor, std::int64_t rows, inference::ModelInferResponse& message) {
  auto& output = *message.add_outputs();
  output.set_name(tensor.name.data(), tensor.name.size());
  output.set_datatype(tensor.datatype().data(), tensor.datatype().size());
  output.add_shape(rows);
  if (tensor.columns > 0) output.add_shape(tensor.columns);
  tensor.append_to(*message.add_raw_output_contents());
}

}  // namespace

InferRequest request_from(const ModelInferRequest& message, const TensorLimits& limits) {
  const JsonPath root;
  InferRequest request;
  request.id = short_text(message.id(), JsonPath{&root, "id"});
  read_parameters(message, JsonPath{&root, "parameters"}, request);
  read_inputs(message, JsonPath{&root, "inputs"}, limits, request);
  read_outputs(message, JsonPath{&root, "outputs"}, request);
  check_rows(request);
  for (const auto& output : kOutputs) (request.*output.wanted).binary = true;
  return request;
}

InferResponse write_grpc_response(std::string_view model, const InferRequest& request, const InferAnswer& answer) {
  inference::ModelInferResponse message;
  message.set_model_name(model.data(), model.size());
  message.set_model_version("1");
  message.set_id(request.id);
  auto& parameters = *message.mutable_parameters();
  if (request.stream_is_number)
    parameters["sequence_id"].set_uint64_param(number_of_stream(request.stream));
  else
    parameters["sequence_id"].set_string_param(request.stream);
  parameters["batch"].set_int64_param(answer.batch);
  parameters["mode"].set_string_param(std::string(answer.mode));
  const auto top_classes = top_classes_of(request, answer);
  for (const auto& tensor : tensors_of(request, answer, top_classes))
    if (tensor.wanted.wanted) add_output(tensor, static_cast<std::int64_t>(answer.labels.size()), message);
  return {.body = message.SerializeAsString(), .json_length = std::nullopt};
}

std::string stream_response(std::string_view response) {
  using google::protobuf::io::CodedOutputStream;
  constexpr char kTag = static_cast<char>(inference::ModelStreamInferResponse::kInferResponseFieldNumber << 3 | 2);
  std::uint8_t length[10];
  const std::uint8_t* end = CodedOutputStream::WriteVarint64ToArray(response.size(), length);
  std::string message(1, kTag);
  message.reserve(1 + sizeof(length) + response.size());
  message.append(reinterpret_cast<const char*>(length), static_cast<std::size_t>(end - length));
  return message.append(response);
}

std::string stream_error(std::string_view message, const std::string& id) {
  inference::ModelStreamInferResponse response;
  response.set_error_message(message.data(), message.size());
  response.mutable_infer_response()->set_id(id);
  return response.SerializeAsString();
}

}  // namespace stad::server
