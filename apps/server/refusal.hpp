#pragma once

#include <string>
#include <utility>

#include <stad/error.hpp>

namespace stad::server {

/// Why a request was not answered: thrown where it is found, told to the client as {"error": message} by whoever holds
/// the request.
struct Refusal {
  int status;  ///< of HTTP
  std::string message;
};

[[noreturn]] inline void refuse(int status, std::string message) { throw Refusal{status, std::move(message)}; }

/// What the library refuses the client can mend; where the machine failed, it can only try again.
inline Refusal refusal_of(const Error& error) { return {error.kind == ErrorKind::kInvalid ? 400 : 503, error.message}; }

template <typename T>
T need(Result<T> result) {
  if (!result) throw refusal_of(result.error());
  return *std::move(result);
}
inline void need(const Status& status) {
  if (!status) throw refusal_of(status.error());
}

}  // namespace stad::server
