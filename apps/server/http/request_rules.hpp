#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "common/error.hpp"

namespace stad::server {

/// The parts of a request line and header that decide where the body ends and to whom the request is addressed.
struct RequestFraming {
  unsigned version = 11;  ///< 10 or 11
  std::size_t hosts = 0;  ///< number of Host fields
  std::size_t transfer_encodings = 0;
  std::string_view transfer_encoding;  ///< of the first field
};

/// The error of a request whose framing is ambiguous or whose Host is not unique (RFC 9112, 3.2 and 6.3); the
/// connection must be closed, since the next request cannot be found. None: the framing is valid.
std::optional<AppError> framing_error(const RequestFraming& framing);

struct RequestTarget {
  std::string_view host;   ///< of an absolute target, or of the Host field
  std::string_view path;   ///< percent-encoded
  std::string_view query;  ///< without "?"
};
/// Splits a target in origin form (/path?query) or absolute form (http://host/path?query). The views refer to the
/// arguments.
RequestTarget split_target(std::string_view target, std::string_view host);

/// The token of an Authorization field of the scheme Bearer, in any case; none for other schemes.
std::optional<std::string_view> bearer_token(std::string_view authorization);

}  // namespace stad::server
