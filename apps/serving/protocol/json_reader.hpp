#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <simdjson.h>

#include "common/error.hpp"
#include "serving/protocol/request_rules.hpp"

namespace stad::serving {

namespace json = simdjson::ondemand;

/// A known member of an object and the function that reads its value: read(value, path).
template <typename Read>
struct JsonMember {
  std::string_view name;
  Read read;
};
template <typename Read>
JsonMember(std::string_view, Read) -> JsonMember<Read>;

/// Reads a JSON text in one pass with simdjson, in buffers of the thread: at most one reader a thread at a time. All
/// functions throw AppError. Members may come in any order. A known member given twice is an error, since readers
/// disagree about which one counts; unknown members are ignored but must be valid JSON.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text);

  std::size_t size() const { return text_.size(); }
  json::object root();
  /// Rejects text after the root object.
  void finish();

  json::object object(json::value value, const JsonPath& path);
  json::array array(json::value value, const JsonPath& path);
  bool flag(json::value value, const JsonPath& path);
  double number(json::value value, const JsonPath& path);
  std::int64_t whole_number(json::value value, const JsonPath& path, std::string_view rule);
  /// Valid as long as the reader.
  std::string_view text(json::value value, const JsonPath& path);
  /// At most 256 bytes without control characters: usable as a name, in a log line and in a URL.
  std::string_view short_text(json::value value, const JsonPath& path);

  template <typename... Reads>
  void members(json::object object, const JsonPath& path, JsonMember<Reads>... known);
  /// Calls each(value, path).
  template <typename Each>
  void elements(json::array array, const JsonPath& path, Each&& each);

  /// The value of a result; throws AppError where the text is not JSON.
  template <typename T>
  T take(simdjson::simdjson_result<T> result);
  /// None: not a number, beyond the range of double, or longer than 1024 characters.
  static std::optional<double> number_in(json::value value);
  /// "is VALUE, RULE" with a scalar as it was written, shortened to 60 bytes.
  static std::string violation(json::value value, std::string_view rule);
  [[noreturn]] static void reject_value(json::value value, const JsonPath& path, std::string_view rule);

 private:
  /// Releases the buffers of a very large text on destruction.
  struct MemoryGuard {
    MemoryGuard() = default;
    ~MemoryGuard();
    MemoryGuard(const MemoryGuard&) = delete;
    MemoryGuard& operator=(const MemoryGuard&) = delete;
  };

  static constexpr std::size_t kLongestNumber = 1024;  // characters: digits beyond do not change a double

  static bool is_too_long(json::value number);
  void skip(json::value value, int depth);
  [[noreturn, gnu::cold, gnu::noinline]] void reject_json(simdjson::error_code error);

  MemoryGuard memory_guard_;
  std::string_view text_;  ///< a copy with the padding that simdjson requires
  std::optional<json::document> document_;
};

inline std::optional<double> JsonReader::number_in(json::value value) {  // inline: innermost loop of a tensor
  double number = 0;
  if (value.raw_json_token().size() > kLongestNumber && is_too_long(value)) return std::nullopt;
  if (value.get_double().get(number)) return std::nullopt;
  return number;
}

template <typename T>
T JsonReader::take(simdjson::simdjson_result<T> result) {
  T value;
  if (const auto error = std::move(result).get(value)) reject_json(error);
  return value;
}

template <typename... Reads>
void JsonReader::members(json::object object, const JsonPath& path, JsonMember<Reads>... known) {
  std::array<bool, sizeof...(Reads)> seen{};
  const auto read_if = [&](std::string_view name, std::size_t i, auto& member, json::value value) {
    if (name != member.name) return false;
    const JsonPath at{&path, name};
    if (std::exchange(seen[i], true)) reject(400, at.text() + " is given twice, must be given once");
    member.read(value, at);
    return true;
  };
  for (auto field : object) {
    const std::string_view name = take(field.unescaped_key());
    const json::value value = take(field.value());
    std::size_t i = 0;
    if (!(read_if(name, i++, known, value) || ...)) skip(value, 0);
  }
}

template <typename Each>
void JsonReader::elements(json::array array, const JsonPath& path, Each&& each) {
  std::size_t index = 0;
  for (auto element : array) each(take(element), JsonPath{&path, {}, index++});
}

}  // namespace stad::serving
