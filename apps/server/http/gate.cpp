#include "server/http/gate.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "server/http/routes.hpp"
#include "server/refusal.hpp"

namespace stad::server {
namespace {

/// The page of a service on this machine, asked for by a name of this machine. A stranger's name that leads here is a
/// stranger's page.
bool is_local(std::string_view host) {
  const auto name = host.starts_with('[') ? host.substr(0, host.find(']') + 1) : host.substr(0, host.find(':'));
  const bool is_numeric = name.find_first_not_of("0123456789.") == std::string_view::npos;
  return name == "localhost" || name == "[::1]" || (is_numeric && name.starts_with("127."));
}

bool is_own(std::string_view origin, std::string_view host) {
  const auto scheme = origin.find("://");
  return scheme != std::string_view::npos && origin.substr(scheme + 3) == host;
}

/// What a browser asks before a page of another origin may call.
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

bool Gate::is_shared(std::string_view origin) const {
  return std::find(origins_.begin(), origins_.end(), origin) != origins_.end();
}

Gate::Verdict Gate::judge(const PeerFacts& facts) const {
  Verdict verdict;
  try {
    if (!facts.origin.empty() && !is_own(facts.origin, facts.host)) {
      if (!is_shared(facts.origin)) refuse(403, fmt::format("pages of {} may not call this service", facts.origin));
      verdict.shared_with = facts.origin;
      if (facts.method == "OPTIONS") {
        verdict.response = preflight(facts.origin);
        return verdict;
      }
    }
    const Role needed = Routes::needed_role(facts.method, path_parts(facts.path));
    verdict.caller = caller_of(facts, needed);
    verdict.takes_body = needed != Role::kNone && (facts.method == "POST" || facts.method == "PUT");
  } catch (const Refusal& refusal) {
    verdict.response = error_response(refusal.status, refusal.message);
  }
  return verdict;
}

Caller Gate::caller_of(const PeerFacts& facts, Role needed) const {
  if (tokens_.empty()) {
    if (!is_local(facts.host))
      refuse(403,
             fmt::format("Host is '{}', must be a name of this machine, such as localhost, while there are no tokens",
                         facts.host));
    return {"everybody", Role::kAdmin};
  }
  constexpr std::string_view kBearer = "Bearer ";
  if (!facts.authorization.starts_with(kBearer)) {
    if (needed != Role::kNone) refuse(401, "a token is needed: Authorization: Bearer TOKEN");
    return {};
  }
  const auto caller = tokens_.find(facts.authorization.substr(kBearer.size()));
  if (!caller) refuse(401, "this token is not known");
  if (!allows(caller->roles, needed))
    refuse(403, fmt::format("token {} may not {} {}", caller->name, facts.method, facts.path));
  return *caller;
}

}  // namespace stad::server
