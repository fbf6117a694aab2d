#include "serving/protocol/infer_response.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "serving/protocol/output_tensor.hpp"

namespace stad::serving {
namespace {

template <typename Number>
void append_number(std::string& out, Number number) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  out.append(text.data(), end);
}

void append_escaped(std::string& out, char character) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(character);
  if (character == '"' || character == '\\') {
    out += '\\';
    out += character;
  } else if (byte < 0x20) {
    out += "\\u00";
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  } else {
    out += character;
  }
}

/// In quotes and escaped. @param text UTF-8
void append_json(std::string& out, std::string_view text) {
  out += '"';
  for (const char character : text) append_escaped(out, character);
  out += '"';
}

void append_json(std::string& out, std::int64_t number) { append_number(out, number); }

/// The shortest text that reads back as the same float32; null for a non-finite value.
void append_json(std::string& out, float number) {
  if (std::isfinite(number)) {
    append_number(out, number);
  } else {
    out += "null";
  }
}

/// Estimate of the body size, so that it is mostly allocated once: a float takes at most 16 characters, labels fewer.
std::size_t expected_size(const OutputTensors& tensors) {
  std::size_t size = 512;
  for (const auto& tensor : tensors)
    if (tensor.wanted.wanted) size += 128 + (tensor.wanted.binary ? tensor.bytes() : 16 * tensor.size());
  return size;
}

template <typename T>
void append_data(std::string& body, std::span<const T> values) {
  char before = '[';
  for (const T& value : values) {
    body += std::exchange(before, ',');
    append_json(body, value);
  }
  body += ']';
}

void append_tensor(std::string& body, const OutputTensor& tensor, std::int64_t rows) {
  body += R"({"name":")";
  body += tensor.name;
  body += R"(","datatype":")";
  body += tensor.datatype();
  body += R"(","shape":[)";
  append_json(body, rows);
  if (tensor.columns > 0) {
    body += ',';
    append_json(body, tensor.columns);
  }
  if (tensor.wanted.binary) {
    body += R"(],"parameters":{"binary_data_size":)";
    append_json(body, static_cast<std::int64_t>(tensor.bytes()));
    body += "}}";
  } else {
    body += R"(],"data":)";
    std::visit([&](const auto& values) { append_data(body, values); }, tensor.values);
    body += '}';
  }
}

void append_head(std::string& body, std::string_view model, const InferRequest& request, const InferAnswer& answer) {
  body += R"({"model_name":)";
  append_json(body, model);
  body += R"(,"model_version":"1")";
  if (!request.id.empty()) {
    body += R"(,"id":)";
    append_json(body, request.id);
  }
  body += R"(,"parameters":{"sequence_id":)";
  request.stream_is_number ? void(body += request.stream.empty() ? "0" : request.stream)
                           : append_json(body, request.stream);
  body += R"(,"batch":)";
  append_json(body, answer.batch);
  body += R"(,"mode":)";
  append_json(body, answer.mode);
  body += R"(},"outputs":)";
}

}  // namespace

InferResponse write_infer_response(std::string_view model, const InferRequest& request, const InferAnswer& answer) {
  const auto top_classes = top_classes_of(request, answer);
  const OutputTensors tensors = tensors_of(request, answer, top_classes);
  const auto rows = static_cast<std::int64_t>(answer.labels.size());
  InferResponse response;
  std::string& body = response.body;
  body.reserve(expected_size(tensors));
  append_head(body, model, request, answer);
  char before = '[';
  bool any_binary = false;
  for (const auto& tensor : tensors) {
    if (!tensor.wanted.wanted) continue;
    body += std::exchange(before, ',');
    append_tensor(body, tensor, rows);
    any_binary |= tensor.wanted.binary;
  }
  body += "]}";
  if (!any_binary) return response;
  response.json_length = body.size();
  for (const auto& tensor : tensors)
    if (tensor.wanted.wanted && tensor.wanted.binary) tensor.append_to(body);
  return response;
}

}  // namespace stad::serving
