#pragma once

#include <string>
#include <utility>
#include <variant>

namespace stad {

/// Invalid input or option of the caller, or failure of the machine.
enum class ErrorKind { kInvalid, kFailed };

/// An error message that names the file or field, the position, the value and the rule.
struct Error {
  ErrorKind kind = ErrorKind::kInvalid;
  std::string message;
};

/// Invalid input or option, which the caller can correct.
inline Error invalid(std::string message) { return {ErrorKind::kInvalid, std::move(message)}; }

/// A failure of the machine, such as a full disk, with valid input.
inline Error failed(std::string message) { return {ErrorKind::kFailed, std::move(message)}; }

/// A value or an error. Access to the absent one throws std::bad_variant_access.
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

/// Success or an error.
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

/// Result of a function without a value.
using Status = Result<void>;

}  // namespace stad
