#include "server/protocol/infer_request.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/protocol/input_tensor.hpp"
#include "server/protocol/json_reader.hpp"

namespace stad::server {
namespace {

struct Output {
  std::string_view name;
  WantedOutput InferRequest::*wanted;
};
constexpr std::array kOutputs{
    Output{"label", &InferRequest::label}, Output{"probabilities", &InferRequest::probabilities},
    Output{"source_label", &InferRequest::source_label}, Output{"adapted_label", &InferRequest::adapted_label},
    Output{"unknown", &InferRequest::unknown}};

/// Outputs may come before the parameter that says how they travel if they do not say it themselves.
struct OutputForms {
  bool by_default = false;                                 ///< parameters.binary_data_output
  std::array<std::optional<bool>, kOutputs.size()> own{};  ///< parameters.binary_data
};

/// 0 and the empty text mean no sequence, as in Triton; 7 and "7" are one stream.
std::string read_sequence_id(JsonReader& reader, json::value value, const Place& place) {
  if (reader.take(value.type()) == json::json_type::string) {
    const auto name = reader.short_text(value, place);
    if (name == "-") JsonReader::wrong(value, place, "which stands for the default stream in addresses");
    return std::string(name);
  }
  std::uint64_t number = 0;
  if (value.get_uint64().get(number))
    JsonReader::wrong(value, place, "must be a text or a whole number from 0 to 18446744073709551615");
  return number == 0 ? std::string() : fmt::to_string(number);
}

void read_parameters(JsonReader& reader, json::value value, const Place& place, InferRequest& request,
                     OutputForms& forms) {
  const auto flag = [&](bool& target) {
    return [&](json::value found, const Place& at) { target = reader.flag(found, at); };
  };
  reader.members(reader.object(value, place), place,
                 Member{"sequence_id", [&](json::value found,
                                           const Place& at) { request.stream = read_sequence_id(reader, found, at); }},
                 Member{"sequence_start", flag(request.starts)},  //
                 Member{"sequence_end", flag(request.ends)},      //
                 Member{"adapt", flag(request.adapt)},
                 Member{"time", [&](json::value found, const Place& at) { request.time = reader.number(found, at); }},
                 Member{"binary_data_output", flag(forms.by_default)});
}

std::size_t output_named(JsonReader& reader, json::value value, const Place& place) {
  const std::string_view name = reader.text(value, place);
  for (std::size_t i = 0; i < kOutputs.size(); ++i)
    if (kOutputs[i].name == name) return i;
  JsonReader::wrong(value, place, "must be label, probabilities, source_label, adapted_label or unknown");
}

void read_output(JsonReader& reader, json::value value, const Place& place, InferRequest& request, OutputForms& forms) {
  std::optional<std::size_t> which;
  std::optional<bool> binary;
  reader.members(reader.object(value, place), place,
                 Member{"name", [&](json::value name, const Place& at) { which = output_named(reader, name, at); }},
                 Member{"parameters", [&](json::value parameters, const Place& at) {
                          reader.members(reader.object(parameters, at), at,
                                         Member{"binary_data", [&](json::value flag, const Place& flag_at) {
                                                  binary = reader.flag(flag, flag_at);
                                                }});
                        }});
  if (!which) refuse(400, place.text() + ".name is missing");
  bool& wanted = (request.*kOutputs[*which].wanted).wanted;
  if (wanted)
    refuse(400, fmt::format("{}.name is \"{}\", which an output before it is", place.text(), kOutputs[*which].name));
  wanted = true;
  forms.own[*which] = binary;
}

/// None at all are the same as no list: the default ones.
void read_outputs(JsonReader& reader, json::value value, const Place& place, InferRequest& request,
                  OutputForms& forms) {
  const InferRequest defaults;
  bool is_empty = true;
  for (const auto& output : kOutputs) (request.*output.wanted).wanted = false;
  reader.elements(reader.array(value, place), place, [&](json::value output, const Place& at) {
    is_empty = false;
    read_output(reader, output, at, request, forms);
  });
  if (!is_empty) return;
  for (const auto& output : kOutputs) request.*output.wanted = defaults.*output.wanted;
}

void check_rows(const InferRequest& request) {
  if (request.features.empty()) refuse(400, "inputs must have one of name features");
  const auto rows = static_cast<std::size_t>(request.features.rows());
  if (!request.row_ids.empty() && request.row_ids.size() != rows)
    refuse(400, fmt::format("inputs: ids has {} values, must have one for each of the {} rows of features",
                            request.row_ids.size(), rows));
}

}  // namespace

InferRequest read_infer_request(std::string_view body, std::optional<std::size_t> json_length,
                                const TensorLimits& limits) {
  if (json_length && *json_length > body.size())
    refuse(400, fmt::format("Inference-Header-Content-Length is {}, must be at most the {} bytes of the body",
                            *json_length, body.size()));
  InferRequest request;
  OutputForms forms;
  BinaryPart binary{body.substr(json_length.value_or(body.size())), json_length.has_value()};
  JsonReader reader(body.substr(0, body.size() - binary.rest.size()));
  const Place root;
  reader.members(
      reader.root(), root,
      Member{"id", [&](json::value id, const Place& at) { request.id = reader.short_text(id, at); }},
      Member{"parameters",
             [&](json::value parameters, const Place& at) { read_parameters(reader, parameters, at, request, forms); }},
      Member{"inputs",
             [&](json::value inputs, const Place& at) {
               reader.elements(reader.array(inputs, at), at, [&](json::value input, const Place& input_at) {
                 read_input(reader, input, input_at, binary, limits, request);
               });
             }},
      Member{"outputs",
             [&](json::value outputs, const Place& at) { read_outputs(reader, outputs, at, request, forms); }});
  reader.finish();
  if (!binary.rest.empty())
    refuse(400, fmt::format("body has {} bytes after its last tensor, must have none", binary.rest.size()));
  check_rows(request);
  for (std::size_t i = 0; i < kOutputs.size(); ++i)
    (request.*kOutputs[i].wanted).binary = forms.own[i].value_or(forms.by_default);
  return request;
}

void check_stream_name(std::string_view field, std::string_view name) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
  if (name.size() > 256) refuse(400, fmt::format("{} has {} bytes, must have at most 256", field, name.size()));
  if (std::ranges::any_of(name, is_control) || !simdjson::validate_utf8(name.data(), name.size()))
    refuse(400, fmt::format("{} must be UTF-8 without control characters", field));
}

}  // namespace stad::server
