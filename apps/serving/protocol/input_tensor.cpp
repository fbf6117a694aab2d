#include "serving/protocol/input_tensor.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "serving/protocol/request_rules.hpp"

namespace stad::serving {
namespace {

TensorShape read_shape(JsonReader& reader, json::value value, const JsonPath& path) {
  TensorShape shape;
  reader.elements(reader.array(value, path), path, [&](json::value element, const JsonPath& at) {
    const auto count = reader.whole_number(element, at, "must be a count");
    shape.add(count, path);
  });
  return shape;
}

Datatype read_datatype(JsonReader& reader, json::value value, const JsonPath& path) {
  const auto datatype = datatype_named(reader.text(value, path));
  if (!datatype) JsonReader::reject_value(value, path, kDatatypeRule);
  return *datatype;
}

// Kept out of the loop over the values.
[[noreturn, gnu::cold, gnu::noinline]] void reject_element(json::value value, const InputTensor& input,
                                                           std::size_t index) {
  if (input.is_ids()) input.reject_member(fmt::format("data[{}]", index), JsonReader::violation(value, kWholeRule));
  reject(400, fmt::format("{}.data row {} column {} {}", input.path.text(), index / input.columns(),
                          index % input.columns(), JsonReader::violation(value, kFloatRule)));
}

/// False where the value is not a number of the type.
bool read_value(json::value& value, float& out) {
  const auto number = JsonReader::number_in(value);
  if (!number) return false;
  out = static_cast<float>(*number);
  return std::isfinite(out);
}

bool read_value(json::value& value, std::int64_t& out) { return !value.get_int64().get(out); }

/// Reads an array of exactly `count` elements to out[first...].
template <typename T>
void read_row(JsonReader& reader, json::array array, const JsonPath& path, const InputTensor& input, std::size_t first,
              std::size_t count, T* out) {
  std::size_t found = 0;
  for (auto element : array) {
    json::value value = reader.take(element);
    if (found < count && !read_value(value, out[first + found])) reject_element(value, input, first + found);
    ++found;
  }
  if (found != count)
    reject(400, fmt::format("{} has {} values, must have {}: the shape is {}", path.text(), found, count,
                            input.shape->text()));
}

template <typename T>
void read_rows(JsonReader& reader, json::array array, const JsonPath& path, const InputTensor& input, T* out) {
  std::size_t found = 0;
  reader.elements(array, path, [&](json::value row, const JsonPath& at) {
    if (found < input.rows())
      read_row(reader, reader.array(row, at), at, input, found * input.columns(), input.columns(), out);
    ++found;
  });
  if (found != input.rows())
    reject(400, fmt::format("{} has {} rows, must have {}: the shape is {}", path.text(), found, input.rows(),
                            input.shape->text()));
}

/// Flat, or, for features, nested like the shape.
template <typename T>
void read_values(JsonReader& reader, json::value data, const JsonPath& path, const InputTensor& input, T* out) {
  auto array = reader.array(data, path);
  const bool is_nested = [&] {
    for (auto first : array)
      return input.shape->dimensions == 2 && reader.take(reader.take(first).type()) == json::json_type::array;
    return false;
  }();
  reader.take(array.reset());
  if (is_nested) return read_rows(reader, array, path, input, out);
  read_row(reader, array, path, input, 0, input.values(), out);
}

void read_data(JsonReader& reader, json::value data, const JsonPath& path, const InputTensor& input,
               InferRequest& request) {
  // A value takes at least two characters: a small text must not cause the allocation of a large tensor.
  if (input.values() > reader.size() / 2)
    reject(400, fmt::format("{} is too short for the {} values of shape {}", path.text(), input.values(),
                            input.shape->text()));
  if (input.is_ids()) {
    request.row_ids.resize(input.rows());
    return read_values(reader, data, path, input, request.row_ids.data());
  }
  request.features.resize(static_cast<Index>(input.rows()), static_cast<Index>(input.columns()));
  read_values(reader, data, path, input, request.features.data());
}

/// Consumes the bytes of this input, which are the next of the binary part.
std::string_view take_bytes(const InputTensor& input, BinaryPart& binary) {
  constexpr std::string_view kMember = "parameters.binary_data_size";
  const auto size = *input.binary_size;
  const std::size_t expected = input.bytes();
  if (!binary.is_there)
    input.reject_member(kMember, fmt::format("is {}, but there is no Inference-Header-Content-Length", size));
  if (!std::cmp_equal(size, expected))
    input.reject_member(kMember, fmt::format("is {}, must be {}: the shape is {} of {}", size, expected,
                                             input.shape->text(), name_of(*input.datatype)));
  if (binary.rest.size() < expected)
    input.reject_member(kMember, fmt::format("is {}, but {} bytes are left in the body", size, binary.rest.size()));
  const auto bytes = binary.rest.substr(0, expected);
  binary.rest.remove_prefix(expected);
  return bytes;
}

void check_values_given_once(const InputTensor& input) {
  if (input.has_data && input.binary_size)
    input.reject_member("data", "is given beside parameters.binary_data_size, must be one of them");
  if (!input.has_data && !input.binary_size)
    input.reject_member("data", "is missing, and so is parameters.binary_data_size");
}

void read_parameters(JsonReader& reader, json::value parameters, const JsonPath& path, InputTensor& input) {
  const auto read_size = [&](json::value size, const JsonPath& at) {
    input.binary_size = reader.whole_number(size, at, kWholeRule);
  };
  reader.members(reader.object(parameters, path), path, JsonMember{"binary_data_size", read_size},
                 JsonMember{"shared_memory_region", reject_shared_memory});
}

/// Address of a value in the text, which identifies it in a second pass.
const char* start_of(json::value value) {
  const std::string_view token = value.raw_json_token();
  return token.data();
}

}  // namespace

void reject_shared_memory(json::value, const JsonPath& path) {
  reject(501, path.text() + " is not served: send tensors in the body");
}

void read_input(JsonReader& reader, json::value value, const JsonPath& path, BinaryPart& binary,
                const TensorLimits& limits, InferRequest& request) {
  InputTensor input{.path = path};
  const char* deferred = nullptr;  // address of `data` that came before shape or datatype
  const auto read_now = [&](json::value data, const JsonPath& at) {
    check_input(input, limits, request);
    read_data(reader, data, at, input, request);
  };
  auto object = reader.object(value, path);
  reader.members(
      object, path,  //
      JsonMember{"name", [&](json::value name, const JsonPath& at) { input.name = reader.text(name, at); }},
      JsonMember{"shape", [&](json::value shape, const JsonPath& at) { input.shape = read_shape(reader, shape, at); }},
      JsonMember{"datatype",
                 [&](json::value type, const JsonPath& at) { input.datatype = read_datatype(reader, type, at); }},
      JsonMember{"parameters",
                 [&](json::value parameters, const JsonPath& at) { read_parameters(reader, parameters, at, input); }},
      JsonMember{"data", [&](json::value data, const JsonPath& at) {
                   input.has_data = true;
                   if (input.is_described())
                     read_now(data, at);
                   else
                     deferred = start_of(data);
                 }});
  if (!input.has_data || deferred != nullptr) check_input(input, limits, request);
  check_values_given_once(input);
  if (input.binary_size) return store_values(input, take_bytes(input, binary), request);
  if (deferred == nullptr) return;
  reader.take(object.reset());
  for (auto field : object)
    if (const json::value data = reader.take(field.value()); start_of(data) == deferred)
      return read_now(data, JsonPath{&path, "data"});
}

}  // namespace stad::serving
