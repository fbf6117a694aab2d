#pragma once

#include <string>
#include <utility>
#include <variant>

namespace stad {

/// Who has to act: the caller gave something that breaks a rule, or the machine failed to do its part.
enum class ErrorKind { kInvalid, kFailed };

/// One sentence for a person: it names the file or field, the place, the value and the rule.
struct Error {
  ErrorKind kind = ErrorKind::kInvalid;
  std::string message;
};

/// Bad input or a bad option: the caller can mend it.
inline Error invalid(std::string message) { return {ErrorKind::kInvalid, std::move(message)}; }

/// A full disk, a failed read: the input was fine.
inline Error failed(std::string message) { return {ErrorKind::kFailed, std::move(message)}; }

/// A value or the reason why there is none. Reading the wrong side throws std::bad_variant_access.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(content_); }
  const T& value() const& { return std::get<0>(content_); }
  T&& value() && { return std::get<0>(std::move(content_)); }
  const Error& error() const { return std::get<1>(content_); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> content_;
};

/// What a function without a value returns: nothing, or why not.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : content_(std::move(error)) {}

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return std::get<1>(content_); }

 private:
  std::variant<std::monostate, Error> content_;
};

/// Done, or why not.
using Status = Result<void>;

}  // namespace stad
