#pragma once

#include <string>
#include <utility>

#include <stad/error.hpp>

namespace stad {

/// The exception of the apps: thrown where an error is found, reported by main() or by the code that owns the request.
struct AppError {
  Error error;
};

}  // namespace stad

namespace stad::cli {

/// The value of a result; throws AppError where it has none.
template <typename T>
T need(Result<T> result) {
  if (!result) throw AppError{result.error()};
  return *std::move(result);
}

/// Throws AppError unless the status is ok.
inline void need(const Status& status) {
  if (!status) throw AppError{status.error()};
}

/// Throws AppError for an argument or a setting that breaks a rule.
[[noreturn]] inline void reject(std::string message) { throw AppError{invalid(std::move(message))}; }

}  // namespace stad::cli
