#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/access/tokens.hpp"

namespace stad::server {

class EventFeed;

/// What was asked. Texts live as long as the connection's message does.
struct HttpRequest {
  std::string_view method;
  std::string_view path;   ///< without the query, percent-encoded
  std::string_view query;  ///< without "?"
  std::string_view idempotency_key;
  bool takes_gzip = false;
  std::optional<std::size_t> json_length;  ///< Inference-Header-Content-Length
  std::string body;
  Caller caller;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  std::optional<std::size_t> json_length;
  std::vector<std::pair<std::string, std::string>> headers;
  std::shared_ptr<EventFeed> feed;  ///< after the body go on with its events
};

HttpResponse json_response(std::string body, int status = 200);
HttpResponse error_response(int status, std::string_view message);

/// Parts of a path between slashes, decoded. Throws Refusal where an escape is broken.
std::vector<std::string> path_parts(std::string_view path);
/// The value of a query's key, decoded, or none.
std::optional<std::string> query_value(std::string_view query, std::string_view key);

/// The default stream has no name of its own; addresses call it "-".
inline std::string stream_called(const std::string& name) { return name == "-" ? "" : name; }

}  // namespace stad::server
