#include "serving/protocol/json_reader.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace stad::serving {
namespace {

constexpr int kMaxDepth = 32;                            // of ignored members; known ones are as deep as the protocol
constexpr std::size_t kRetained = std::size_t{4} << 20;  // bytes of JSON whose buffers the thread keeps
constexpr std::size_t kMinCapacity = std::size_t{1} << 14;

/// Buffers of simdjson, about six bytes for each byte of text; reused from request to request.
struct ParserBuffers {
  json::parser parser;
  std::vector<char> text;
};
thread_local ParserBuffers buffers;

std::string_view without_space(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

}  // namespace

JsonReader::JsonReader(std::string_view text) {
  if (buffers.parser.capacity() < text.size() || buffers.text.empty()) {
    const std::size_t capacity = std::bit_ceil(std::max(text.size(), kMinCapacity));
    if (const auto error = buffers.parser.allocate(capacity)) reject_json(error);
    buffers.text.resize(capacity + simdjson::SIMDJSON_PADDING);
  }
  char* copy = buffers.text.data();
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  std::memset(copy + text.size(), 0, simdjson::SIMDJSON_PADDING);
  text_ = {copy, text.size()};
  document_ = take(buffers.parser.iterate(copy, text.size(), buffers.text.size()));
}

JsonReader::MemoryGuard::~MemoryGuard() {
  if (buffers.parser.capacity() > kRetained) buffers = ParserBuffers();
}

json::object JsonReader::root() {
  json::object object;
  const auto error = document_->get_object().get(object);
  if (error == simdjson::INCORRECT_TYPE) reject(400, "body must be a JSON object");
  if (error) reject_json(error);
  return object;
}

void JsonReader::finish() {
  const char* rest = nullptr;
  if (document_->current_location().get(rest)) return;  // nothing follows
  reject(400, fmt::format("body has more at byte {}, after its JSON object", rest - text_.data()));
}

json::object JsonReader::object(json::value value, const JsonPath& path) {
  json::object object;
  if (value.get_object().get(object)) reject_value(value, path, "must be an object");
  return object;
}

json::array JsonReader::array(json::value value, const JsonPath& path) {
  json::array array;
  if (value.get_array().get(array)) reject_value(value, path, "must be an array");
  return array;
}

bool JsonReader::flag(json::value value, const JsonPath& path) {
  bool flag = false;
  if (value.get_bool().get(flag)) reject_value(value, path, "must be true or false");
  return flag;
}

double JsonReader::number(json::value value, const JsonPath& path) {
  const auto number = number_in(value);
  if (!number) reject_value(value, path, "must be a number");
  return *number;
}

bool JsonReader::is_too_long(json::value number) {
  return without_space(number.raw_json_token()).size() > kLongestNumber;
}

std::int64_t JsonReader::whole_number(json::value value, const JsonPath& path, std::string_view rule) {
  std::int64_t number = 0;
  if (value.get_int64().get(number)) reject_value(value, path, rule);
  return number;
}

std::string_view JsonReader::text(json::value value, const JsonPath& path) {
  std::string_view text;
  if (value.get_string().get(text)) reject_value(value, path, "must be a text");
  return text;
}

std::string_view JsonReader::short_text(json::value value, const JsonPath& path) {
  const std::string_view found = text(value, path);
  check_length(found, path);
  if (has_control_characters(found)) reject_value(value, path, kControlRule);
  return found;
}

void JsonReader::skip(json::value value, int depth) {
  if (depth > kMaxDepth) reject(400, fmt::format("body is nested too deep, must be at most {} deep", kMaxDepth));
  switch (take(value.type())) {
    case json::json_type::object:
      for (auto field : take(value.get_object())) {
        take(field.unescaped_key());
        skip(take(field.value()), depth + 1);
      }
      return;
    case json::json_type::array:
      for (auto element : take(value.get_array())) skip(take(element), depth + 1);
      return;
    case json::json_type::string:
      take(value.get_string());
      return;
    case json::json_type::boolean:
      take(value.get_bool());
      return;
    case json::json_type::number:
      if (!number_in(value)) reject_json(simdjson::NUMBER_ERROR);
      return;
    case json::json_type::null:
      if (bool is_null = false; value.is_null().get(is_null) || !is_null) reject_json(simdjson::N_ATOM_ERROR);
  }
}

std::string JsonReader::violation(json::value value, std::string_view rule) {
  const std::string_view token = value.raw_json_token();
  if (token.starts_with('{')) return fmt::format("is an object, {}", rule);
  if (token.starts_with('[')) return fmt::format("is an array, {}", rule);
  const bool is_text = token.starts_with('"');
  if (!is_text && is_too_long(value))
    return fmt::format("is {}, must have at most {} characters", shortened(token), kLongestNumber);
  return fmt::format("is {}, {}", shortened(without_space(token)), rule);
}

void JsonReader::reject_value(json::value value, const JsonPath& path, std::string_view rule) {
  reject(400, fmt::format("{} {}", path.text(), violation(value, rule)));
}

void JsonReader::reject_json(simdjson::error_code error) {
  if (error == simdjson::MEMALLOC) reject(503, "not enough memory for the body");
  if (error == simdjson::CAPACITY) reject(413, "body has more JSON than 4 GB");
  if (error == simdjson::EMPTY) reject(400, "body is empty, must be a JSON object");
  if (error == simdjson::UTF8_ERROR) reject(400, "body is not JSON: not UTF-8");
  const char* where = nullptr;
  const bool is_known = document_ && !document_->current_location().get(where);
  reject(400, is_known ? fmt::format("body is not JSON near byte {}", where - text_.data()) : "body is not JSON");
}

}  // namespace stad::serving
