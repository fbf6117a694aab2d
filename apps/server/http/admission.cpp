#include "server/http/admission.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "server/access/permissions.hpp"
#include "server/http/header_text.hpp"

namespace stad::server {
namespace {

bool starts_in_any_case(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && are_equal_in_any_case(text.substr(0, prefix.size()), prefix);
}

std::string_view last_coding(std::string_view codings) {
  const auto comma = codings.rfind(',');
  return trimmed(comma == std::string_view::npos ? codings : codings.substr(comma + 1));
}

std::optional<AppError> transfer_encoding_error(const HeaderFields& fields) {
  const std::string_view coding = fields.transfer_encoding;
  if (fields.transfer_encodings > 1) return http_error(400, "Transfer-Encoding is given twice, must be given once");
  if (fields.version < 11) return http_error(400, "Transfer-Encoding requires HTTP/1.1; send Content-Length");
  if (!are_equal_in_any_case(last_coding(coding), "chunked"))
    return http_error(
        400, fmt::format("Transfer-Encoding is '{}', must be chunked: the end of the body is unknown", coding));
  if (!are_equal_in_any_case(trimmed(coding), "chunked"))
    return http_error(501, fmt::format("Transfer-Encoding is '{}', must be chunked alone", coding));
  return std::nullopt;
}

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
      {"Access-Control-Allow-Headers",
       "Authorization, Content-Encoding, Content-Type, Idempotency-Key, Inference-Header-Content-Length"},
      {"Access-Control-Max-Age", "600"},
      {"Vary", "Origin"}};
  return response;
}

}  // namespace

std::optional<AppError> framing_error(const HeaderFields& fields) {
  if (fields.hosts > 1) return http_error(400, "Host is given twice, must be given once");
  if (fields.hosts == 0 && fields.version >= 11) return http_error(400, "Host is missing, HTTP/1.1 requires it");
  if (fields.transfer_encodings == 0) return std::nullopt;
  return transfer_encoding_error(fields);
}

RequestTarget split_target(std::string_view target, std::string_view host) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!starts_in_any_case(target, scheme)) continue;
    target.remove_prefix(scheme.size());
    const auto end = std::min(target.find_first_of("/?"), target.size());
    host = target.substr(0, end);
    target.remove_prefix(end);
    break;
  }
  const auto question = std::min(target.find('?'), target.size());
  const auto path = target.substr(0, question);
  return {.host = host,
          .path = path.empty() ? "/" : path,
          .query = target.substr(std::min(question + 1, target.size())),
          .parts = {}};
}

std::optional<std::string_view> bearer_token(std::string_view authorization) {
  constexpr std::string_view kBearer = "Bearer ";
  if (!starts_in_any_case(authorization, kBearer)) return std::nullopt;
  return trimmed(authorization.substr(kBearer.size()));
}

Caller identify(const Tokens& tokens, std::string_view host, std::string_view authorization, Role needed) {
  if (tokens.empty()) {
    if (!is_local(host))
      reject(403, fmt::format("Host is '{}', must be a name of this machine, such as localhost, without tokens", host));
    return unrestricted_caller();
  }
  const auto token = bearer_token(authorization);
  if (!token) {
    if (needed != Role::kNone) reject(401, "token required: send the header Authorization: Bearer TOKEN");
    return {};
  }
  auto caller = tokens.find(*token);
  if (!caller) reject(401, "unknown token");
  return *std::move(caller);
}

void check_permission(const Caller& caller, Role needed, std::string_view method, std::string_view path,
                      const PathParts& parts) {
  if (!is_permitted(caller, needed, parts))
    reject(403, fmt::format("token {} not allowed to {} {}", caller.name, method, path));
}

bool Admission::is_allowed(std::string_view origin) const {
  return std::find(origins_.begin(), origins_.end(), origin) != origins_.end();
}

Admission::Decision Admission::decide(const HeaderFields& fields, bool only_health) const {
  Decision decision;
  try {
    check(fields, only_health, decision);
  } catch (const AppError& failure) {
    decision.response = error_response(http_status(failure), failure.error.message);
  }
  return decision;
}

void Admission::check(const HeaderFields& fields, bool only_health, Decision& decision) const {
  RequestTarget& target = decision.target = split_target(fields.target, fields.host);
  if (auto invalid = framing_error(fields)) throw *std::move(invalid);
  if (only_health && !is_health(target.path)) reject(503, "too many connections are open; try again");
  if (!fields.origin.empty() && !is_same_origin(fields.origin, target.host)) {
    if (!is_allowed(fields.origin))
      reject(403, fmt::format("origin {} not allowed; add it to the setting origins", fields.origin));
    decision.allowed_origin = fields.origin;
    if (fields.method == "OPTIONS") {
      decision.response = preflight(fields.origin);
      return;
    }
  }
  target.parts = path_parts(target.path);
  const Role needed = needed_role(fields.method, target.parts);
  decision.caller = identify(tokens_, target.host, fields.authorization, needed);
  check_permission(decision.caller, needed, fields.method, target.path, target.parts);
  decision.takes_body = needed != Role::kNone && (fields.method == "POST" || fields.method == "PUT");
}

}  // namespace stad::server
