#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/access/tokens.hpp"
#include "server/http/message.hpp"

namespace stad::server {

/// The parts of a request's header that decide whether it is allowed.
struct RequestHead {
  std::string_view method;
  std::string_view path;
  std::string_view host;
  std::string_view origin;
  std::string_view authorization;
};

/// Decides by the header, before the body is read, whether a request is allowed.
class Authorizer {
 public:
  /// @param origins allowed for cross-origin requests of browsers
  Authorizer(Tokens tokens, std::vector<std::string> origins)
      : tokens_(std::move(tokens)), origins_(std::move(origins)) {}

  struct Authorization {
    std::optional<HttpResponse> response;  ///< an error or a preflight answer, which ends the request
    Caller caller;
    PathParts parts;                  ///< of the path
    std::string_view allowed_origin;  ///< for the CORS headers of the answer; empty: same origin
    bool takes_body = false;          ///< false for reads and for paths without a role
  };
  Authorization authorize(const RequestHead& head) const;

 private:
  bool is_allowed(std::string_view origin) const;
  /// Throws AppError where the caller lacks the role.
  Caller caller_of(const RequestHead& head, const PathParts& parts, Role needed) const;

  const Tokens tokens_;
  const std::vector<std::string> origins_;
};

}  // namespace stad::server
