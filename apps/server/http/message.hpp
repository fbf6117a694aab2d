#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/access/tokens.hpp"

namespace stad::server {

class EventFeed;

/// The parts of a path between slashes, percent-decoded.
using PathParts = std::vector<std::string>;

/// Views are valid as long as the message of the connection.
struct HttpRequest {
  std::string_view method;
  std::string_view path;   ///< without the query, percent-encoded
  std::string_view query;  ///< without "?"
  PathParts parts;         ///< of the path
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
  std::shared_ptr<EventFeed> feed;  ///< server-sent events that follow the body; null: none
};

HttpResponse json_response(std::string body, int status = 200);
HttpResponse error_response(int status, std::string_view message);

/// Throws AppError where an escape is invalid.
PathParts path_parts(std::string_view path);
/// The decoded value of a key of the query, or none.
std::optional<std::string> query_value(std::string_view query, std::string_view key);

/// The name of a stream in a URL, where "-" stands for the default stream, whose name is empty.
inline std::string stream_of_url(const std::string& name) { return name == "-" ? "" : name; }

/// Throws AppError (403) where the caller's grants do not cover the target.
void require_access(const Caller& caller, Role needed, const AccessTarget& target);

/// Throws AppError where the text is not base64.
std::string from_base64(std::string_view text);

/// A file that is compiled in: openapi.json.
std::string_view service_file(std::string_view file);

}  // namespace stad::server
