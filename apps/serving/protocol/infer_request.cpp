#include "serving/protocol/infer_request.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "serving/protocol/input_tensor.hpp"
#include "serving/protocol/json_reader.hpp"
#include "serving/protocol/request_rules.hpp"

namespace stad::serving {
namespace {

/// Collected while reading, since outputs may come before the parameter with their default form.
struct OutputForms {
  bool by_default = false;                                 ///< parameters.binary_data_output
  std::array<std::optional<bool>, kOutputs.size()> own{};  ///< parameters.binary_data
};

/// The empty string means no sequence, as does 0.
void read_sequence_id(JsonReader& reader, json::value value, const JsonPath& path, InferRequest& request) {
  if (reader.take(value.type()) == json::json_type::string) {
    const auto name = reader.short_text(value, path);
    if (name == "-") JsonReader::reject_value(value, path, kReservedStreamRule);
    request.stream = name;
    return;
  }
  std::uint64_t number = 0;
  if (value.get_uint64().get(number)) JsonReader::reject_value(value, path, kSequenceRule);
  request.stream = stream_of_number(number);
  request.stream_is_number = true;
}

void read_parameters(JsonReader& reader, json::value value, const JsonPath& path, InferRequest& request,
                     OutputForms& forms) {
  const auto flag = [&](bool& target) {
    return [&](json::value found, const JsonPath& at) { target = reader.flag(found, at); };
  };
  reader.members(
      reader.object(value, path), path,
      JsonMember{"sequence_id",
                 [&](json::value found, const JsonPath& at) { read_sequence_id(reader, found, at, request); }},
      JsonMember{"sequence_start", flag(request.starts)},  //
      JsonMember{"sequence_end", flag(request.ends)},      //
      JsonMember{"adapt", flag(request.adapt)},
      JsonMember{"time", [&](json::value found, const JsonPath& at) { request.time = reader.number(found, at); }},
      JsonMember{"binary_data_output", flag(forms.by_default)});
}

std::size_t read_output_name(JsonReader& reader, json::value value, const JsonPath& path) {
  const auto output = output_named(reader.text(value, path));
  if (!output) JsonReader::reject_value(value, path, kOutputRule);
  return *output;
}

struct OutputParameters {
  std::optional<bool> binary;
  std::optional<std::int64_t> top_classes;
};

OutputParameters read_output_parameters(JsonReader& reader, json::value value, const JsonPath& path) {
  OutputParameters found;
  reader.members(
      reader.object(value, path), path,
      JsonMember{"binary_data", [&](json::value flag, const JsonPath& at) { found.binary = reader.flag(flag, at); }},
      JsonMember{"classification",
                 [&](json::value count, const JsonPath& at) {
                   found.top_classes = reader.whole_number(count, at, kClassificationRule);
                 }},
      JsonMember{"shared_memory_region", reject_shared_memory});
  return found;
}

void read_output(JsonReader& reader, json::value value, const JsonPath& path, InferRequest& request,
                 OutputForms& forms) {
  std::optional<std::size_t> which;
  OutputParameters parameters;
  reader.members(
      reader.object(value, path), path,
      JsonMember{"name", [&](json::value name, const JsonPath& at) { which = read_output_name(reader, name, at); }},
      JsonMember{"parameters", [&](json::value found, const JsonPath& at) {
                   parameters = read_output_parameters(reader, found, at);
                 }});
  if (!which) reject(400, path.text() + ".name is missing");
  select_output(request, *which, path, parameters.top_classes);
  forms.own[*which] = parameters.binary;
}

/// An empty list selects the default outputs, like no list.
void read_outputs(JsonReader& reader, json::value value, const JsonPath& path, InferRequest& request,
                  OutputForms& forms) {
  const InferRequest defaults;
  bool is_empty = true;
  deselect_outputs(request);
  reader.elements(reader.array(value, path), path, [&](json::value output, const JsonPath& at) {
    is_empty = false;
    read_output(reader, output, at, request, forms);
  });
  if (!is_empty) return;
  for (const auto& output : kOutputs) request.*output.wanted = defaults.*output.wanted;
}

/// One step of the hash: invertible, so that different values give different digests.
void mix(std::uint64_t& digest, std::uint64_t value) { digest = std::rotl((digest ^ value) * 0x9E3779B97F4A7C15U, 29); }

void mix_bytes(std::uint64_t& digest, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  mix(digest, size);
  for (; size >= 8; size -= 8, bytes += 8) {
    std::uint64_t value;
    std::memcpy(&value, bytes, 8);
    mix(digest, value);
  }
  std::uint64_t rest = 0;
  if (size > 0) std::memcpy(&rest, bytes, size);  // data() of an empty vector may be null
  mix(digest, rest);
}

}  // namespace

InferRequest read_infer_request(std::string_view body, std::optional<std::size_t> json_length,
                                const TensorLimits& limits) {
  if (json_length && *json_length > body.size())
    reject(400, fmt::format("Inference-Header-Content-Length is {}, must be at most the {} bytes of the body",
                            *json_length, body.size()));
  InferRequest request;
  OutputForms forms;
  BinaryPart binary{body.substr(json_length.value_or(body.size())), json_length.has_value()};
  JsonReader reader(body.substr(0, body.size() - binary.rest.size()));
  const JsonPath root;
  reader.members(
      reader.root(), root,
      JsonMember{"id", [&](json::value id, const JsonPath& at) { request.id = reader.short_text(id, at); }},
      JsonMember{"parameters", [&](json::value parameters,
                                   const JsonPath& at) { read_parameters(reader, parameters, at, request, forms); }},
      JsonMember{"inputs",
                 [&](json::value inputs, const JsonPath& at) {
                   reader.elements(reader.array(inputs, at), at, [&](json::value input, const JsonPath& input_at) {
                     read_input(reader, input, input_at, binary, limits, request);
                   });
                 }},
      JsonMember{"outputs",
                 [&](json::value outputs, const JsonPath& at) { read_outputs(reader, outputs, at, request, forms); }});
  reader.finish();
  if (!binary.rest.empty())
    reject(400, fmt::format("body has {} bytes after its last tensor, must have none", binary.rest.size()));
  check_rows(request);
  for (std::size_t i = 0; i < kOutputs.size(); ++i)
    (request.*kOutputs[i].wanted).binary = forms.own[i].value_or(forms.by_default);
  return request;
}

void check_stream_name(std::string_view field, std::string_view name) {
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
  if (name.size() > 256) reject(400, fmt::format("{} has {} bytes, must have at most 256", field, name.size()));
  if (std::ranges::any_of(name, is_control) || !simdjson::validate_utf8(name.data(), name.size()))
    reject(400, fmt::format("{} must be UTF-8 without control characters", field));
}

std::uint64_t digest_of(const InferRequest& request) {
  std::uint64_t digest = 0;
  mix(digest, static_cast<std::uint64_t>(request.features.rows()));
  mix_bytes(digest, request.features.data(), static_cast<std::size_t>(request.features.size()) * sizeof(float));
  mix_bytes(digest, request.row_ids.data(), request.row_ids.size() * sizeof(std::int64_t));
  mix(digest, std::bit_cast<std::uint64_t>(request.time.value_or(0)));
  mix(digest,
      (request.adapt ? 1U : 0U) | (request.starts ? 2U : 0U) | (request.ends ? 4U : 0U) | (request.time ? 8U : 0U));
  for (const auto& output : kOutputs)
    mix(digest, ((request.*output.wanted).wanted ? 1U : 0U) | ((request.*output.wanted).binary ? 2U : 0U));
  // Digests of requests without it are on disk.
  if (request.probabilities.top_classes > 0) mix(digest, static_cast<std::uint64_t>(request.probabilities.top_classes));
  return digest;
}

}  // namespace stad::serving
