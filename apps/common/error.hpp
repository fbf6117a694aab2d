#pragma once

#include <string>
#include <utility>

#include <stad/error.hpp>

namespace stad {

/// The exception of the apps: thrown where an error is found, reported by main() or by the code that owns the request.
struct AppError {
  Error error;
  int status = 0;  ///< HTTP status chosen by the code that throws; 0: derived from the kind, see http_status()
};

/// The status a client of the service receives: 400 where the request must change, 503 where it may be repeated.
inline int http_status(const AppError& failure) {
  if (failure.status != 0) return failure.status;
  return failure.error.kind == ErrorKind::kInvalid ? 400 : 503;
}

/// Exit status of a program that ends with this error: 2 where the user can correct the input, else 1.
inline int exit_status(const AppError& failure) { return http_status(failure) < 500 ? 2 : 1; }

/// An error with an HTTP status; from 500 on its kind is kFailed, below kInvalid.
inline AppError http_error(int status, std::string message) {
  return {status < 500 ? invalid(std::move(message)) : failed(std::move(message)), status};
}

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

/// Throws AppError with an HTTP status.
[[noreturn]] inline void reject(int status, std::string message) { throw http_error(status, std::move(message)); }

}  // namespace stad

namespace stad::cli {

using stad::need;
using stad::reject;

}  // namespace stad::cli
