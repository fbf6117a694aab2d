#include "server/protocol/input_tensor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/protocol/tensor.hpp"

namespace stad::server {
namespace {

constexpr std::string_view kFloatRule = "must be a number of float32's range, +-3.4028235e+38";
constexpr std::string_view kWholeRule = "must be a whole number of 64 bits";

constexpr std::size_t kMostDimensions = 8;

struct Shape {
  std::array<std::int64_t, kMostDimensions> counts{};
  std::size_t dimensions = 0;

  std::span<const std::int64_t> all() const { return {counts.data(), dimensions}; }
  std::string text() const { return fmt::format("[{}]", fmt::join(all(), ", ")); }
};

/// One of `inputs` as far as it was read; its members come in any order.
struct Input {
  const Place& place;
  std::optional<std::string_view> name = {};
  std::optional<Datatype> datatype = {};
  std::optional<Shape> shape = {};
  std::optional<std::int64_t> binary_size = {};
  bool has_data = false;

  bool is_ids() const { return *name == "ids"; }
  bool are_images() const { return *name == "images"; }
  bool is_described() const { return name && datatype && shape; }
  std::size_t rows() const { return static_cast<std::size_t>(shape->counts[0]); }
  std::size_t columns() const {  ///< of a shape that was checked
    std::size_t product = 1;
    for (const auto count : shape->all().subspan(1)) product *= static_cast<std::size_t>(count);
    return product;
  }
  std::size_t values() const { return rows() * columns(); }

  [[noreturn]] void refuse_member(std::string_view member, const std::string& complaint, int status = 400) const {
    refuse(status, fmt::format("{}.{} {}", place.text(), member, complaint));
  }
};

Shape read_shape(JsonReader& reader, json::value value, const Place& place) {
  Shape shape;
  reader.elements(reader.array(value, place), place, [&](json::value element, const Place& at) {
    const auto count = reader.whole_number(element, at, "must be a count");
    if (shape.dimensions == kMostDimensions) refuse(400, place.text() + " has more than 8 counts, must be one or two");
    shape.counts[shape.dimensions++] = count;
  });
  return shape;
}

Datatype read_datatype(JsonReader& reader, json::value value, const Place& place) {
  const auto datatype = datatype_named(reader.text(value, place));
  if (!datatype) JsonReader::wrong(value, place, "must be FP32, FP64 or FP16 for features and images, INT64 for ids");
  return *datatype;
}

void check_name(const Input& input, const InferRequest& request) {
  if (!input.name) input.refuse_member("name", "is missing");
  if (*input.name != "features" && *input.name != "images" && *input.name != "ids")
    input.refuse_member("name", fmt::format("is \"{}\", must be features, images or ids", *input.name));
  if (input.is_ids() ? !request.row_ids.empty() : !request.features.empty())
    input.refuse_member("name", fmt::format("is \"{}\", which an input before it is", *input.name));
}

void check_shape(const Input& input, const TensorLimits& limits) {
  if (!input.shape) input.refuse_member("shape", "is missing");
  const Shape& shape = *input.shape;
  const std::size_t dimensions = input.is_ids() ? 1 : input.are_images() ? 4 : 2;
  const bool are_counts = std::ranges::all_of(shape.all(), [](std::int64_t count) { return count >= 1; });
  if (shape.dimensions != dimensions || !are_counts)
    input.refuse_member("shape", fmt::format("is {}, must be {} of at least 1", shape.text(),
                                             dimensions == 1   ? "one count"
                                             : dimensions == 2 ? "two counts"
                                                               : "four counts (images, channels, height, width)"));
  if (input.rows() > limits.rows)
    input.refuse_member("shape", fmt::format("is {}, must have at most {} rows", shape.text(), limits.rows), 413);
  std::size_t room = limits.values;
  for (const auto count : shape.all()) room /= static_cast<std::size_t>(count);
  if (room == 0)
    input.refuse_member("shape", fmt::format("is {}, must have at most {} values", shape.text(), limits.values), 413);
}

void check_datatype(const Input& input) {
  if (!input.datatype) input.refuse_member("datatype", "is missing");
  if ((*input.datatype == Datatype::kInt64) == input.is_ids()) return;
  input.refuse_member("datatype", fmt::format("is \"{}\", must be {} for {}", name_of(*input.datatype),
                                              input.is_ids() ? "INT64" : "FP32, FP64 or FP16", *input.name));
}

void check(const Input& input, const TensorLimits& limits, InferRequest& request) {
  check_name(input, request);
  check_shape(input, limits);
  check_datatype(input);
  const auto& counts = input.shape->counts;
  if (input.are_images()) request.image_shape = ImageShape{counts[1], counts[2], counts[3]};
}

// Out of the way of the loop over the values.
[[noreturn, gnu::cold, gnu::noinline]] void refuse_value(json::value value, const Input& input, std::size_t index) {
  if (input.is_ids()) input.refuse_member(fmt::format("data[{}]", index), JsonReader::complaint(value, kWholeRule));
  refuse(400, fmt::format("{}.data row {} column {} {}", input.place.text(), index / input.columns(),
                          index % input.columns(), JsonReader::complaint(value, kFloatRule)));
}

/// False where it is not a number of the kind.
bool read_value(json::value& value, float& out) {
  const auto number = JsonReader::number_in(value);
  if (!number) return false;
  out = static_cast<float>(*number);
  return std::isfinite(out);
}

bool read_value(json::value& value, std::int64_t& out) { return !value.get_int64().get(out); }

/// Reads the elements of an array from `first` on, `count` of them.
template <typename T>
void read_row(JsonReader& reader, json::array array, const Place& place, const Input& input, std::size_t first,
              std::size_t count, T* out) {
  std::size_t found = 0;
  for (auto element : array) {
    json::value value = reader.take(element);
    if (found < count && !read_value(value, out[first + found])) refuse_value(value, input, first + found);
    ++found;
  }
  if (found != count)
    refuse(400, fmt::format("{} has {} values, must have {}: the shape is {}", place.text(), found, count,
                            input.shape->text()));
}

template <typename T>
void read_rows(JsonReader& reader, json::array array, const Place& place, const Input& input, T* out) {
  std::size_t found = 0;
  reader.elements(array, place, [&](json::value row, const Place& at) {
    if (found < input.rows())
      read_row(reader, reader.array(row, at), at, input, found * input.columns(), input.columns(), out);
    ++found;
  });
  if (found != input.rows())
    refuse(400, fmt::format("{} has {} rows, must have {}: the shape is {}", place.text(), found, input.rows(),
                            input.shape->text()));
}

/// Flat, or, of features, nested as the shape is.
template <typename T>
void read_values(JsonReader& reader, json::value data, const Place& place, const Input& input, T* out) {
  auto array = reader.array(data, place);
  const bool is_nested = [&] {
    for (auto first : array)
      return input.shape->dimensions == 2 && reader.take(reader.take(first).type()) == json::json_type::array;
    return false;
  }();
  reader.take(array.reset());
  if (is_nested) return read_rows(reader, array, place, input, out);
  read_row(reader, array, place, input, 0, input.values(), out);
}

void read_data(JsonReader& reader, json::value data, const Place& place, const Input& input, InferRequest& request) {
  // A value takes two characters at least, so a small text cannot make us reserve a large tensor.
  if (input.values() > reader.size() / 2)
    refuse(400, fmt::format("{} is too short for the {} values of shape {}", place.text(), input.values(),
                            input.shape->text()));
  if (input.is_ids()) {
    request.row_ids.resize(input.rows());
    return read_values(reader, data, place, input, request.row_ids.data());
  }
  request.features.resize(static_cast<Index>(input.rows()), static_cast<Index>(input.columns()));
  read_values(reader, data, place, input, request.features.data());
}

/// The bytes of this input, which are the next of the binary part.
std::string_view take_bytes(const Input& input, BinaryPart& binary) {
  constexpr std::string_view kMember = "parameters.binary_data_size";
  const auto size = *input.binary_size;
  const std::size_t expected = input.values() * bytes_of(*input.datatype);
  if (!binary.is_there)
    input.refuse_member(kMember, fmt::format("is {}, but there is no Inference-Header-Content-Length", size));
  if (!std::cmp_equal(size, expected))
    input.refuse_member(kMember, fmt::format("is {}, must be {}: the shape is {} of {}", size, expected,
                                             input.shape->text(), name_of(*input.datatype)));
  if (binary.rest.size() < expected)
    input.refuse_member(kMember, fmt::format("is {}, but {} bytes are left in the body", size, binary.rest.size()));
  const auto bytes = binary.rest.substr(0, expected);
  binary.rest.remove_prefix(expected);
  return bytes;
}

void read_binary(const Input& input, std::string_view bytes, InferRequest& request) {
  if (input.is_ids()) {
    request.row_ids.resize(input.rows());
    std::memcpy(request.row_ids.data(), bytes.data(), bytes.size());
    return;
  }
  request.features.resize(static_cast<Index>(input.rows()), static_cast<Index>(input.columns()));
  const auto overflow = to_floats(*input.datatype, bytes, request.features.data());
  if (!overflow) return;
  refuse(400, fmt::format("{} row {} column {} is {}, {}", input.place.text(), overflow->index / input.columns(),
                          overflow->index % input.columns(), overflow->value, kFloatRule));
}

/// Where a value begins, by which it is found again.
const char* start_of(json::value value) {
  const std::string_view token = value.raw_json_token();
  return token.data();
}

}  // namespace

void read_input(JsonReader& reader, json::value value, const Place& place, BinaryPart& binary,
                const TensorLimits& limits, InferRequest& request) {
  Input input{.place = place};
  const char* postponed = nullptr;  // `data` that came before what tells how to read it
  const auto read_now = [&](json::value data, const Place& at) {
    check(input, limits, request);
    read_data(reader, data, at, input, request);
  };
  auto object = reader.object(value, place);
  reader.members(
      object, place,  //
      Member{"name", [&](json::value name, const Place& at) { input.name = reader.text(name, at); }},
      Member{"shape", [&](json::value shape, const Place& at) { input.shape = read_shape(reader, shape, at); }},
      Member{"datatype", [&](json::value type, const Place& at) { input.datatype = read_datatype(reader, type, at); }},
      Member{"parameters",
             [&](json::value parameters, const Place& at) {
               reader.members(reader.object(parameters, at), at,
                              Member{"binary_data_size", [&](json::value size, const Place& size_at) {
                                       input.binary_size = reader.whole_number(size, size_at, kWholeRule);
                                     }});
             }},
      Member{"data", [&](json::value data, const Place& at) {
               input.has_data = true;
               if (!input.is_described()) {
                 postponed = start_of(data);
                 return;
               }
               read_now(data, at);
             }});
  if (!input.has_data || postponed != nullptr) check(input, limits, request);
  if (input.has_data && input.binary_size)
    input.refuse_member("data", "is given beside parameters.binary_data_size, must be one of them");
  if (!input.has_data && !input.binary_size)
    input.refuse_member("data", "is missing, and so is parameters.binary_data_size");
  if (input.binary_size) return read_binary(input, take_bytes(input, binary), request);
  if (postponed == nullptr) return;
  reader.take(object.reset());
  for (auto field : object)
    if (const json::value data = reader.take(field.value()); start_of(data) == postponed)
      return read_now(data, Place{&place, "data"});
}

}  // namespace stad::server
