#include "server/access/permissions.hpp"

namespace stad::server {

Role needed_role(std::string_view method, const PathParts& parts) {
  const std::string first = parts.empty() ? "" : parts[0];
  const bool is_health =
      first == "livez" || first == "readyz" || (first == "v2" && parts.size() > 1 && parts[1] == "health");
  if (is_health || first.empty() || first == "assets") return Role::kNone;
  const bool is_repository = first == "v2" && parts.size() > 1 && parts[1] == "repository";
  if (is_repository && method == "POST") return parts.size() > 3 ? Role::kAdmin : Role::kRead;
  if (first == "v2" && method == "POST") return Role::kInfer;
  if (first == "admin" && (method != "GET" || parts.back() == "state")) return Role::kAdmin;
  return Role::kRead;
}

bool is_permitted(const Caller& caller, Role needed, const PathParts& parts) {
  if (needed == Role::kNone) return true;
  const bool is_admin = parts[0] == "admin";
  if (parts[0] == "v2" && parts.size() > 3 && parts[1] == "repository")
    return caller.may(needed, {parts[3], std::nullopt});
  const bool is_all_statistics = parts.size() == 3 && parts[2] == "stats";
  if (parts.size() > 2 && parts[1] == "models" && !(parts[0] == "v2" && is_all_statistics)) {
    if (parts[0] == "v2") return caller.may_somewhere(needed, parts[2]);
    if (is_admin && parts.size() > 4 && parts[3] == "streams")
      return caller.may(needed, {parts[2], stream_of_url(parts[4])});
    if (is_admin) return caller.may(needed, {parts[2], std::nullopt});
  }
  const bool is_listing = is_admin && parts.size() == 2 && needed == Role::kRead;  // of models, of events
  if (is_listing || parts[0] == "v2" || parts[0] == "events" || parts[0] == "openapi.json")
    return caller.may_somewhere(needed, std::nullopt);
  return caller.may(needed, {});
}

std::string_view allowed_methods(const PathParts& parts) {
  const bool takes_post = parts.size() > 3 && parts[0] == "v2" && (parts.back() == "infer" || parts.back() == "labels");
  const bool is_repository = parts.size() > 1 && parts[0] == "v2" && parts[1] == "repository";
  return takes_post || is_repository ? "POST" : "GET, HEAD";
}

}  // namespace stad::server
