#include "server/http/authorizer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "common/error.hpp"
#include "server/http/request_rules.hpp"
#include "server/http/routes.hpp"

namespace stad::server {
namespace {

/// Whether the Host header names this machine. Other names that resolve to it are rejected: DNS rebinding would let
/// pages of other origins call the service.
bool is_local(std::string_view host) {
  const auto name = host.starts_with('[') ? host.substr(0, host.find(']') + 1) : host.substr(0, host.find(':'));
  const bool is_numeric = name.find_first_not_of("0123456789.") == std::string_view::npos;
  return name == "localhost" || name == "[::1]" || (is_numeric && name.starts_with("127."));
}

bool is_same_origin(std::string_view origin, std::string_view host) {
  const auto scheme = origin.find("://");
  return scheme != std::string_view::npos && origin.substr(scheme + 3) == host;
}

/// The answer to the preflight request of a browser for a cross-origin request.
HttpResponse preflight(std::string_view origin) {
  HttpResponse response = json_response("", 204);
  response.headers = {
      {"Access-Control-Allow-Origin", std::string(origin)},
      {"Access-Control-Allow-Methods", "GET, POST, PUT, DELETE"},
      {"Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, Inference-Header-Content-Length"},
      {"Access-Control-Max-Age", "600"},
      {"Vary", "Origin"}};
  return response;
}

}  // namespace

bool Authorizer::is_allowed(std::string_view origin) const {
  return std::find(origins_.begin(), origins_.end(), origin) != origins_.end();
}

Authorizer::Authorization Authorizer::authorize(const RequestHead& head) const {
  Authorization authorization;
  try {
    if (!head.origin.empty() && !is_same_origin(head.origin, head.host)) {
      if (!is_allowed(head.origin))
        reject(403, fmt::format("origin {} not allowed; add it to the setting origins", head.origin));
      authorization.allowed_origin = head.origin;
      if (head.method == "OPTIONS") {
        authorization.response = preflight(head.origin);
        return authorization;
      }
    }
    authorization.parts = path_parts(head.path);
    const Role needed = Routes::needed_role(head.method, authorization.parts);
    authorization.caller = caller_of(head, authorization.parts, needed);
    authorization.takes_body = needed != Role::kNone && (head.method == "POST" || head.method == "PUT");
  } catch (const AppError& failure) {
    authorization.response = error_response(http_status(failure), failure.error.message);
  }
  return authorization;
}

Caller Authorizer::caller_of(const RequestHead& head, const PathParts& parts, Role needed) const {
  if (tokens_.empty()) {
    if (!is_local(head.host))
      reject(403,
             fmt::format("Host is '{}', must be a name of this machine, such as localhost, without tokens", head.host));
    return unrestricted_caller();
  }
  const auto token = bearer_token(head.authorization);
  if (!token) {
    if (needed != Role::kNone) reject(401, "token required: send the header Authorization: Bearer TOKEN");
    return {};
  }
  auto caller = tokens_.find(*token);
  if (!caller) reject(401, "unknown token");
  if (!Routes::is_permitted(*caller, needed, parts))
    reject(403, fmt::format("token {} not allowed to {} {}", caller->name, head.method, head.path));
  return *std::move(caller);
}

}  // namespace stad::server
