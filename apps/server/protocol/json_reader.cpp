#include "server/protocol/json_reader.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace stad::server {
namespace {

constexpr int kDeepest = 32;                         // of what is ignored; what is known is as deep as the protocol
constexpr std::size_t kLongestText = 256;            // bytes
constexpr std::size_t kKept = std::size_t{4} << 20;  // bytes of JSON whose memory stays with the thread
constexpr std::size_t kSmallest = std::size_t{1} << 14;

/// simdjson takes about six bytes for one of the text: kept from request to request, unless one was very large.
struct Memory {
  json::parser parser;
  std::vector<char> text;
};
thread_local Memory memory;

bool is_control(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  if (byte < 0x20 || byte == 0x7f) return true;
  return byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;  // U+0080 to U+009F
}

std::string_view without_space(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

/// Not more than a line has room for, and no half of a character.
std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::size_t size = std::min(text.size(), kMost);
  while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) --size;
  std::string result;
  for (std::size_t i = 0; i < size; ++i) result += is_control(text.substr(0, size), i) ? '?' : text[i];
  return size < text.size() ? result + "..." : result;
}

}  // namespace

std::string Place::text() const {
  if (parent == nullptr) return "body";
  if (name.empty()) return fmt::format("{}[{}]", parent->text(), index);
  return parent->parent == nullptr ? shortened(name) : fmt::format("{}.{}", parent->text(), shortened(name));
}

JsonReader::JsonReader(std::string_view text) {
  if (memory.parser.capacity() < text.size() || memory.text.empty()) {
    const std::size_t capacity = std::bit_ceil(std::max(text.size(), kSmallest));
    if (const auto error = memory.parser.allocate(capacity)) broken(error);
    memory.text.resize(capacity + simdjson::SIMDJSON_PADDING);
  }
  char* copy = memory.text.data();
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  std::memset(copy + text.size(), 0, simdjson::SIMDJSON_PADDING);
  text_ = {copy, text.size()};
  document_ = take(memory.parser.iterate(copy, text.size(), memory.text.size()));
}

JsonReader::Tenure::~Tenure() {
  if (memory.parser.capacity() > kKept) memory = Memory();
}

json::object JsonReader::root() {
  json::object object;
  const auto error = document_->get_object().get(object);
  if (error == simdjson::INCORRECT_TYPE) refuse(400, "body must be a JSON object");
  if (error) broken(error);
  return object;
}

void JsonReader::finish() {
  const char* rest = nullptr;
  if (document_->current_location().get(rest)) return;  // there is none
  refuse(400, fmt::format("body has more at byte {}, after its JSON object", rest - text_.data()));
}

json::object JsonReader::object(json::value value, const Place& place) {
  json::object object;
  if (value.get_object().get(object)) wrong(value, place, "must be an object");
  return object;
}

json::array JsonReader::array(json::value value, const Place& place) {
  json::array array;
  if (value.get_array().get(array)) wrong(value, place, "must be an array");
  return array;
}

bool JsonReader::flag(json::value value, const Place& place) {
  bool flag = false;
  if (value.get_bool().get(flag)) wrong(value, place, "must be true or false");
  return flag;
}

double JsonReader::number(json::value value, const Place& place) {
  const auto number = number_in(value);
  if (!number) wrong(value, place, "must be a number");
  return *number;
}

bool JsonReader::is_too_long(json::value number) {
  return without_space(number.raw_json_token()).size() > kLongestNumber;
}

std::int64_t JsonReader::whole_number(json::value value, const Place& place, std::string_view rule) {
  std::int64_t number = 0;
  if (value.get_int64().get(number)) wrong(value, place, rule);
  return number;
}

std::string_view JsonReader::text(json::value value, const Place& place) {
  std::string_view text;
  if (value.get_string().get(text)) wrong(value, place, "must be a text");
  return text;
}

std::string_view JsonReader::short_text(json::value value, const Place& place) {
  const std::string_view found = text(value, place);
  if (found.size() > kLongestText)
    refuse(400, fmt::format("{} has {} bytes, must have at most {}", place.text(), found.size(), kLongestText));
  for (std::size_t i = 0; i < found.size(); ++i)
    if (is_control(found, i)) wrong(value, place, "must have no control characters");
  return found;
}

void JsonReader::skip(json::value value, int depth) {
  if (depth > kDeepest) refuse(400, fmt::format("body is nested too deep, must be at most {} deep", kDeepest));
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
      if (!number_in(value)) broken(simdjson::NUMBER_ERROR);
      return;
    case json::json_type::null:
      if (bool is_null = false; value.is_null().get(is_null) || !is_null) broken(simdjson::N_ATOM_ERROR);
  }
}

std::string JsonReader::complaint(json::value value, std::string_view rule) {
  const std::string_view token = value.raw_json_token();
  if (token.starts_with('{')) return fmt::format("is an object, {}", rule);
  if (token.starts_with('[')) return fmt::format("is an array, {}", rule);
  const bool is_text = token.starts_with('"');
  if (!is_text && is_too_long(value))
    return fmt::format("is {}, must have at most {} characters", shortened(token), kLongestNumber);
  return fmt::format("is {}, {}", shortened(without_space(token)), rule);
}

void JsonReader::wrong(json::value value, const Place& place, std::string_view rule) {
  refuse(400, fmt::format("{} {}", place.text(), complaint(value, rule)));
}

void JsonReader::broken(simdjson::error_code error) {
  if (error == simdjson::MEMALLOC) refuse(503, "there is no memory for the body");
  if (error == simdjson::CAPACITY) refuse(413, "body has more JSON than 4 GB");
  if (error == simdjson::EMPTY) refuse(400, "body is empty, must be a JSON object");
  if (error == simdjson::UTF8_ERROR) refuse(400, "body is not JSON: not UTF-8");
  const char* where = nullptr;
  const bool is_known = document_ && !document_->current_location().get(where);
  refuse(400, is_known ? fmt::format("body is not JSON near byte {}", where - text_.data()) : "body is not JSON");
}

}  // namespace stad::server
