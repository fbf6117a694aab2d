#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <simdjson.h>

#include "server/refusal.hpp"

namespace stad::server {

namespace json = simdjson::ondemand;

/// Where in the request a value stands. A chain on the stack that becomes text only where something is refused.
struct Place {
  const Place* parent = nullptr;  ///< none: the whole body
  std::string_view name = {};     ///< of a member
  std::size_t index = 0;          ///< of an element, where there is no name

  std::string text() const;  ///< "inputs[0].shape"
};

/// A member of an object that is known by name, and what is done with its value: read(value, place).
template <typename Read>
struct Member {
  std::string_view name;
  Read read;
};
template <typename Read>
Member(std::string_view, Read) -> Member<Read>;

/// Reads a JSON text once, from front to back, into the thread's own memory: one reader a thread at a time. Everything
/// throws Refusal. Members may come in any order. One that is known must not come twice, since two readers of such a
/// text would understand two things; one that is unknown is ignored, but must be JSON.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text);

  std::size_t size() const { return text_.size(); }
  json::object root();
  /// Nothing may follow the root.
  void finish();

  json::object object(json::value value, const Place& place);
  json::array array(json::value value, const Place& place);
  bool flag(json::value value, const Place& place);
  double number(json::value value, const Place& place);
  std::int64_t whole_number(json::value value, const Place& place, std::string_view rule);
  /// Valid until the reader goes.
  std::string_view text(json::value value, const Place& place);
  /// At most 256 bytes without control characters: what may become a name, a line of a log, part of an address.
  std::string_view short_text(json::value value, const Place& place);

  template <typename... Reads>
  void members(json::object object, const Place& place, Member<Reads>... known);
  /// each(value, place)
  template <typename Each>
  void elements(json::array array, const Place& place, Each&& each);

  /// The value of a result, or a refusal: the text is not JSON.
  template <typename T>
  T take(simdjson::simdjson_result<T> result);
  /// None: not a number, or one that no double or nobody's patience holds.
  static std::optional<double> number_in(json::value value);
  /// "is VALUE, RULE": a scalar as it was written, but not endless.
  static std::string complaint(json::value value, std::string_view rule);
  [[noreturn]] static void wrong(json::value value, const Place& place, std::string_view rule);

 private:
  /// Gives back the memory of a very large text, however its reading ends.
  struct Tenure {
    Tenure() = default;
    ~Tenure();
    Tenure(const Tenure&) = delete;
    Tenure& operator=(const Tenure&) = delete;
  };

  static constexpr std::size_t kLongestNumber = 1024;  // characters; beyond, digits cost time and tell nothing

  static bool is_too_long(json::value number);
  void skip(json::value value, int depth);
  [[noreturn, gnu::cold, gnu::noinline]] void broken(simdjson::error_code error);

  Tenure tenure_;
  std::string_view text_;  ///< our copy, which has the room behind that simdjson reads
  std::optional<json::document> document_;
};

inline std::optional<double> JsonReader::number_in(json::value value) {  // in a tensor's innermost loop
  double number = 0;
  if (value.raw_json_token().size() > kLongestNumber && is_too_long(value)) return std::nullopt;
  if (value.get_double().get(number)) return std::nullopt;
  return number;
}

template <typename T>
T JsonReader::take(simdjson::simdjson_result<T> result) {
  T value;
  if (const auto error = std::move(result).get(value)) broken(error);
  return value;
}

template <typename... Reads>
void JsonReader::members(json::object object, const Place& place, Member<Reads>... known) {
  std::array<bool, sizeof...(Reads)> seen{};
  const auto read_if = [&](std::string_view name, std::size_t i, auto& member, json::value value) {
    if (name != member.name) return false;
    const Place at{&place, name};
    if (std::exchange(seen[i], true)) refuse(400, at.text() + " is given twice, must be given once");
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
void JsonReader::elements(json::array array, const Place& place, Each&& each) {
  std::size_t index = 0;
  for (auto element : array) each(take(element), Place{&place, {}, index++});
}

}  // namespace stad::server
