#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/error.hpp"
#include "server/access/tokens.hpp"
#include "server/http/message.hpp"

namespace stad::server {

/// Fields of a request's header. The views refer to the message.
struct HeaderFields {
  unsigned version = 11;  ///< 10 or 11
  std::string_view method;
  std::string_view target;
  std::size_t hosts = 0;  ///< number of Host fields
  std::string_view host;  ///< the first of them
  std::size_t transfer_encodings = 0;
  std::string_view transfer_encoding;  ///< of the first field
  std::string_view origin;
  std::string_view authorization;
};

/// The error of a request whose framing is ambiguous or whose Host is not unique (RFC 9112, 3.2 and 6.3); the
/// connection must be closed, since the next request cannot be found. None: the framing is valid.
std::optional<AppError> framing_error(const HeaderFields& fields);

/// Splits a target in origin form (/path?query) or absolute form (http://host/path?query). The views refer to the
/// arguments.
RequestTarget split_target(std::string_view target, std::string_view host);

/// The token of an Authorization field of the scheme Bearer, in any case; none for other schemes.
std::optional<std::string_view> bearer_token(std::string_view authorization);

/// The caller of a request; for public requests without a token, one without grants. Throws AppError: 401 without a
/// valid token where one is needed, 403 without tokens where the host is not a name of this machine.
Caller identify(const Tokens& tokens, std::string_view host, std::string_view authorization, Role needed);

/// Throws AppError (403) where the caller's grants do not cover the path.
void check_permission(const Caller& caller, Role needed, std::string_view method, std::string_view path,
                      const PathParts& parts);

/// Decides by the header, before the body is read, whether a request is answered.
class Admission {
 public:
  /// @param origins allowed for cross-origin requests of browsers
  Admission(Tokens tokens, std::vector<std::string> origins)
      : tokens_(std::move(tokens)), origins_(std::move(origins)) {}

  struct Decision {
    std::optional<HttpResponse> response;  ///< an error or a preflight answer, which ends the connection
    RequestTarget target;
    Caller caller;
    std::string_view allowed_origin;  ///< for the CORS headers of the answer; empty: same origin
    bool takes_body = false;          ///< false for reads and for paths without a role
  };
  /// Parses and checks the header. Does not throw.
  /// @param only_health whether too many connections are open to answer other requests
  Decision decide(const HeaderFields& fields, bool only_health) const;

 private:
  bool is_allowed(std::string_view origin) const;
  /// Throws AppError.
  void check(const HeaderFields& fields, bool only_health, Decision& decision) const;

  const Tokens tokens_;
  const std::vector<std::string> origins_;
};

}  // namespace stad::server
