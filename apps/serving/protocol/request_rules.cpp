#include "serving/protocol/request_rules.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/error.hpp"

namespace stad::serving {
namespace {

constexpr std::size_t kMaxText = 256;  // bytes
constexpr std::int64_t kMaxTopClasses = 1'000'000;

bool is_control(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  if (byte < 0x20 || byte == 0x7f) return true;
  return byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;  // U+0080 to U+009F
}

void check_name(const InputTensor& input, const InferRequest& request) {
  if (!input.name) input.reject_member("name", "is missing");
  if (*input.name != "features" && *input.name != "images" && *input.name != "ids")
    input.reject_member("name", fmt::format("is \"{}\", must be features, images or ids", *input.name));
  if (input.is_ids() ? !request.row_ids.empty() : !request.features.empty())
    input.reject_member("name", fmt::format("is \"{}\", which an input before it is", *input.name));
}

void check_shape(const InputTensor& input, const TensorLimits& limits) {
  if (!input.shape) input.reject_member("shape", "is missing");
  const TensorShape& shape = *input.shape;
  const std::size_t dimensions = input.is_ids() ? 1 : input.are_images() ? 4 : 2;
  const bool are_counts = std::ranges::all_of(shape.all(), [](std::int64_t count) { return count >= 1; });
  if (shape.dimensions != dimensions || !are_counts)
    input.reject_member("shape", fmt::format("is {}, must be {} of at least 1", shape.text(),
                                             dimensions == 1   ? "one count"
                                             : dimensions == 2 ? "two counts"
                                                               : "four counts (images, channels, height, width)"));
  if (input.rows() > limits.rows)
    input.reject_member("shape", fmt::format("is {}, must have at most {} rows", shape.text(), limits.rows), 413);
  std::size_t quotient = limits.values;
  for (const auto count : shape.all()) quotient /= static_cast<std::size_t>(count);
  if (quotient == 0)
    input.reject_member("shape", fmt::format("is {}, must have at most {} values", shape.text(), limits.values), 413);
}

void check_datatype(const InputTensor& input) {
  if (!input.datatype) input.reject_member("datatype", "is missing");
  if ((*input.datatype == Datatype::kInt64) == input.is_ids()) return;
  input.reject_member("datatype", fmt::format("is \"{}\", must be {} for {}", name_of(*input.datatype),
                                              input.is_ids() ? "INT64" : "FP32, FP64 or FP16", *input.name));
}

}  // namespace

std::string JsonPath::text() const {
  if (parent == nullptr) return "body";
  if (name.empty()) return fmt::format("{}[{}]", parent->text(), index);
  return parent->parent == nullptr ? shortened(name) : fmt::format("{}.{}", parent->text(), shortened(name));
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kMaxBytes = 60;
  std::size_t size = std::min(text.size(), kMaxBytes);
  while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  std::string result;
  for (std::size_t i = 0; i < size; ++i) result += is_control(text.substr(0, size), i) ? '?' : text[i];
  return size < text.size() ? result + "..." : result;
}

void check_length(std::string_view text, const JsonPath& path) {
  if (text.size() > kMaxText)
    reject(400, fmt::format("{} has {} bytes, must have at most {}", path.text(), text.size(), kMaxText));
}

bool has_control_characters(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (is_control(text, i)) return true;
  return false;
}

std::string stream_of_number(std::uint64_t number) { return number == 0 ? std::string() : fmt::to_string(number); }

void TensorShape::add(std::int64_t count, const JsonPath& path) {
  if (dimensions == kMaxDimensions) reject(400, path.text() + " has more than 8 counts, must be one or two");
  counts[dimensions++] = count;
}

std::string TensorShape::text() const { return fmt::format("[{}]", fmt::join(all(), ", ")); }

void InputTensor::reject_member(std::string_view member, const std::string& violation, int status) const {
  reject(status, fmt::format("{}.{} {}", path.text(), member, violation));
}

void check_input(const InputTensor& input, const TensorLimits& limits, InferRequest& request) {
  check_name(input, request);
  check_shape(input, limits);
  check_datatype(input);
  const auto& counts = input.shape->counts;
  if (input.are_images()) request.image_shape = ImageShape{counts[1], counts[2], counts[3]};
}

void store_values(const InputTensor& input, std::string_view bytes, InferRequest& request) {
  if (input.is_ids()) {
    request.row_ids.resize(input.rows());
    std::memcpy(request.row_ids.data(), bytes.data(), bytes.size());
    return;
  }
  request.features.resize(static_cast<Index>(input.rows()), static_cast<Index>(input.columns()));
  const auto overflow = to_floats(*input.datatype, bytes, request.features.data());
  if (!overflow) return;
  reject(400, fmt::format("{} row {} column {} is {}, {}", input.path.text(), overflow->index / input.columns(),
                          overflow->index % input.columns(), overflow->value, kFloatRule));
}

void check_rows(const InferRequest& request) {
  if (request.features.empty()) reject(400, "inputs must have one of name features");
  const auto rows = static_cast<std::size_t>(request.features.rows());
  if (!request.row_ids.empty() && request.row_ids.size() != rows)
    reject(400, fmt::format("inputs: ids has {} values, must have one for each of the {} rows of features",
                            request.row_ids.size(), rows));
}

std::optional<std::size_t> output_named(std::string_view name) {
  for (std::size_t i = 0; i < kOutputs.size(); ++i)
    if (kOutputs[i].name == name) return i;
  return std::nullopt;
}

void deselect_outputs(InferRequest& request) {
  for (const auto& output : kOutputs) (request.*output.wanted).wanted = false;
}

void select_output(InferRequest& request, std::size_t output, const JsonPath& path,
                   std::optional<std::int64_t> top_classes) {
  const std::string_view name = kOutputs[output].name;
  WantedOutput& selected = request.*kOutputs[output].wanted;
  if (selected.wanted) reject(400, fmt::format("{}.name is \"{}\", which an output before it is", path.text(), name));
  if (top_classes && &selected != &request.probabilities)
    reject(400,
           fmt::format("{}.parameters.classification is given for {}, must be for probabilities", path.text(), name));
  if (top_classes && (*top_classes < 1 || *top_classes > kMaxTopClasses))
    reject(400, fmt::format("{}.parameters.classification is {}, {}", path.text(), *top_classes, kClassificationRule));
  selected.wanted = true;
  selected.top_classes = top_classes.value_or(0);
}

}  // namespace stad::serving
